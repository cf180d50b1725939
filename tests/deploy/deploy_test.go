// Package deploy checks examples/gateway/deploy without a cluster and without Docker: Kubernetes' own types and compose's
// own loader read the files strictly, and what names something in another file names what is there.
package deploy

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

const (
	root   = "../.."
	folder = root + "/examples/gateway/deploy"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// address is where a cluster of envoy.yaml is.
type address struct {
	Name string
	Port int
}

func clusters(t *testing.T) []address {
	t.Helper()
	var file struct {
		StaticResources struct {
			Clusters []struct {
				LoadAssignment struct {
					Endpoints []struct {
						LbEndpoints []struct {
							Endpoint struct {
								Address struct {
									SocketAddress struct {
										Address string
										Port    int `json:"port_value"`
									} `json:"socket_address"`
								}
							}
						} `json:"lb_endpoints"`
					}
				} `json:"load_assignment"`
			}
		} `json:"static_resources"`
	}
	if err := yaml.Unmarshal(read(t, folder+"/envoy.yaml"), &file); err != nil {
		t.Fatal(err)
	}
	var list []address
	for _, cluster := range file.StaticResources.Clusters {
		at := cluster.LoadAssignment.Endpoints[0].LbEndpoints[0].Endpoint.Address.SocketAddress
		list = append(list, address{at.Address, at.Port})
	}
	if len(list) != 3 {
		t.Fatalf("envoy.yaml has %d clusters", len(list))
	}
	return list
}

// gatewayFile is config/gateway.yaml as far as other files depend on it.
func gatewayFile(t *testing.T) (file struct {
	Listen, Router, Engine, Keys string
	Limits                       struct {
		Shutdown int `json:"shutdown_ms"`
	}
}) {
	t.Helper()
	if err := yaml.Unmarshal(read(t, folder+"/config/gateway.yaml"), &file); err != nil {
		t.Fatal(err)
	}
	return file
}

// stage is a part of the Containerfile that begins with FROM.
type stage struct {
	name, from, user, entry string
	copies                  [][]string // words after COPY
}

func stages(t *testing.T) map[string]*stage {
	t.Helper()
	text := bytes.ReplaceAll(read(t, folder+"/Containerfile"), []byte("\\\n"), nil)
	found := map[string]*stage{}
	var last *stage
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		switch words[0] {
		case "FROM":
			if len(words) != 4 || words[2] != "AS" {
				t.Fatalf("%q, expected FROM image AS name", line)
			}
			last = &stage{name: words[3], from: words[1]}
			found[last.name] = last
		case "USER":
			last.user = words[1]
		case "ENTRYPOINT":
			last.entry = words[1]
		case "COPY":
			last.copies = append(last.copies, words[1:])
		case "RUN", "WORKDIR", "EXPOSE", "CMD":
		default:
			t.Fatalf("unknown instruction %q", line)
		}
	}
	return found
}

func TestContainerfile_MakesImagesWithoutRoot(t *testing.T) {
	all := stages(t)
	for name, s := range all {
		if _, tag, _ := strings.Cut(s.from, ":"); tag == "" || tag == "latest" {
			t.Errorf("%s is from %s, expected a version", name, s.from)
		}
		if name != "build" && !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(s.user) {
			t.Errorf("%s runs as %q, expected numbers that are not root's", name, s.user)
		}
		for _, words := range s.copies {
			if from, found := strings.CutPrefix(words[0], "--from="); found {
				if all[from] == nil {
					t.Errorf("%s copies from %s, which is not there", name, from)
				}
				continue
			}
			if _, err := os.Stat(filepath.Join(root, words[0])); err != nil {
				t.Error(err)
			}
		}
	}
	if all["gateway"] == nil || all["scripted"] == nil {
		t.Error("there is no stage gateway, or no stage scripted")
	}
}

func TestConfig_NamesFilesThatTheImageHas(t *testing.T) {
	file := gatewayFile(t)
	for _, name := range []string{file.Router, file.Engine} {
		if _, err := os.Stat(filepath.Join(folder, "config", name)); err != nil {
			t.Error(err)
		}
	}
	var engine struct {
		VSR struct {
			Models, Adapters map[string]struct{ Path string }
		}
	}
	if err := yaml.Unmarshal(read(t, folder+"/config/engine.yaml"), &engine); err != nil {
		t.Fatal(err)
	}
	copied := string(read(t, folder+"/Containerfile"))
	for _, paths := range []map[string]struct{ Path string }{engine.VSR.Models, engine.VSR.Adapters} {
		for name, at := range paths {
			inner, found := strings.CutPrefix(at.Path, "/usr/share/vsr/models/")
			if !found || !strings.Contains(copied, strings.TrimPrefix(inner, "adapters/")+" /out/models/") {
				t.Errorf("the Containerfile does not copy %s to %s", name, at.Path)
			}
		}
	}
}

// portOf is the port of host:port.
func portOf(t *testing.T, listen string) int {
	t.Helper()
	_, port, _ := strings.Cut(listen, ":")
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatalf("%q is no address", listen)
	}
	return number
}
