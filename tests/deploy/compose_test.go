package deploy

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

func compose(t *testing.T) *types.Project {
	t.Helper()
	path, err := filepath.Abs(folder + "/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	project, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{WorkingDir: filepath.Dir(path),
		ConfigFiles: []types.ConfigFile{{Filename: path}}})
	if err != nil {
		t.Fatal(err)
	}
	return project
}

func TestCompose_RunsWithoutRootAndWithLimits(t *testing.T) {
	file := gatewayFile(t)
	for name, service := range compose(t).Services {
		if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(service.User) {
			t.Errorf("%s runs as %q", name, service.User)
		}
		if !service.ReadOnly || len(service.CapDrop) != 1 || service.CapDrop[0] != "ALL" || service.MemLimit <= 0 {
			t.Errorf("%s has more rights than it needs, or no limit of memory", name)
		}
		if !strings.Contains(service.Image, ":") || strings.HasSuffix(service.Image, ":latest") {
			t.Errorf("%s is %s, expected a version", name, service.Image)
		}
		for _, volume := range service.Volumes {
			if _, err := os.Stat(volume.Source); err != nil || !volume.ReadOnly {
				t.Errorf("%s: %s: %v, expected read-only", name, volume.Source, err)
			}
		}
		if build := service.Build; build != nil {
			if _, err := os.Stat(filepath.Join(build.Context, build.Dockerfile)); err != nil || stages(t)[build.Target] == nil {
				t.Errorf("%s is not built: %v, stage %q", name, err, build.Target)
			}
		}
	}
	gateway := compose(t).Services["gateway"]
	if gateway.Scale == nil || *gateway.Scale < 2 {
		t.Error("there is one gateway")
	}
	if grace := time.Duration(*gateway.StopGracePeriod); grace <= time.Duration(file.Limits.Shutdown)*time.Millisecond {
		t.Errorf("gateways are killed after %v", grace)
	}
	if len(gateway.Secrets) != 1 || file.Keys != "/run/secrets/"+gateway.Secrets[0].Source {
		t.Errorf("the keys are not at %s: %v", file.Keys, gateway.Secrets)
	}
}

func TestCompose_HasWhereEnvoySends(t *testing.T) {
	services := compose(t).Services
	for _, at := range clusters(t) {
		service, found := services[at.Name]
		if !found {
			t.Errorf("there is no service %s", at.Name)
			continue
		}
		listens := strings.Join(service.Command, " ")
		if at.Name == "gateway" {
			listens = string(read(t, folder+"/Containerfile"))
		}
		if !regexp.MustCompile(`0\.0\.0\.0:` + itoa(at.Port) + `\b`).MatchString(listens) {
			t.Errorf("%s does not listen at %d", at.Name, at.Port)
		}
	}
}
