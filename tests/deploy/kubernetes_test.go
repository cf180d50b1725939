package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// strictly refuses keys that are unknown, given twice, or in the wrong case, as a cluster does.
func strictly(t *testing.T, where string, document []byte, into any) {
	t.Helper()
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	strict, err := json.UnmarshalStrict(text, into)
	if err != nil || len(strict) > 0 {
		t.Fatalf("%s: %v %v", where, err, strict)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// cluster is what the manifests make.
type cluster struct {
	deployments map[string]*apps.Deployment
	services    map[string]*core.Service
	scalers     []*autoscaling.HorizontalPodAutoscaler
	budgets     []*policy.PodDisruptionBudget
	networks    []*networking.NetworkPolicy
}

func (c *cluster) add(t *testing.T, where string, document []byte) {
	t.Helper()
	var kind meta.TypeMeta
	if err := yaml.Unmarshal(document, &kind); err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	strictly := func(into any) {
		t.Helper()
		strictly(t, where+": "+kind.Kind, document, into)
	}
	switch kind.APIVersion + " " + kind.Kind {
	case "apps/v1 Deployment":
		made := &apps.Deployment{}
		strictly(made)
		c.deployments[made.Name] = made
	case "v1 Service":
		made := &core.Service{}
		strictly(made)
		c.services[made.Name] = made
	case "autoscaling/v2 HorizontalPodAutoscaler":
		made := &autoscaling.HorizontalPodAutoscaler{}
		strictly(made)
		c.scalers = append(c.scalers, made)
	case "policy/v1 PodDisruptionBudget":
		made := &policy.PodDisruptionBudget{}
		strictly(made)
		c.budgets = append(c.budgets, made)
	case "networking.k8s.io/v1 NetworkPolicy":
		made := &networking.NetworkPolicy{}
		strictly(made)
		c.networks = append(c.networks, made)
	default:
		t.Fatalf("%s: %s %s is nothing that this test knows", where, kind.APIVersion, kind.Kind)
	}
}

type kustomization struct {
	meta.TypeMeta      `json:",inline"`
	Resources          []string    `json:"resources"`
	ConfigMapGenerator []generated `json:"configMapGenerator"`
	SecretGenerator    []generated `json:"secretGenerator"`
}

type generated struct {
	Name  string   `json:"name"`
	Files []string `json:"files"`
}

func manifests(t *testing.T) (*cluster, *kustomization) {
	t.Helper()
	k := &kustomization{}
	strictly(t, "kustomization.yaml", read(t, folder+"/kustomization.yaml"), k)
	c := &cluster{deployments: map[string]*apps.Deployment{}, services: map[string]*core.Service{}}
	listed := map[string]bool{}
	for _, name := range k.Resources {
		listed[filepath.Base(name)] = true
		for _, document := range bytes.Split(read(t, filepath.Join(folder, name)), []byte("\n---\n")) {
			c.add(t, name, document)
		}
	}
	files, err := os.ReadDir(folder + "/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !listed[file.Name()] {
			t.Errorf("kubernetes/%s is not in kustomization.yaml", file.Name())
		}
	}
	return c, k
}

func selects(t *testing.T, selector *meta.LabelSelector, d *apps.Deployment) bool {
	t.Helper()
	made, err := meta.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	return !made.Empty() && made.Matches(labels.Set(d.Spec.Template.Labels))
}

// probed is the port of a probe, 0: none of the container's.
func probed(probe *core.Probe, container core.Container) int32 {
	for _, port := range container.Ports {
		switch {
		case probe == nil:
		case probe.GRPC != nil && probe.GRPC.Port == port.ContainerPort:
			return port.ContainerPort
		case probe.HTTPGet != nil && probe.HTTPGet.Port.StrVal == port.Name:
			return port.ContainerPort
		}
	}
	return 0
}

func TestKubernetes_PodsAreProbedBoundAndNotRoot(t *testing.T) {
	c, _ := manifests(t)
	for name, d := range c.deployments {
		pod := d.Spec.Template.Spec
		if !selects(t, d.Spec.Selector, d) {
			t.Errorf("%s does not select its own pods", name)
		}
		if s := pod.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || *s.RunAsUser == 0 {
			t.Errorf("%s may run as root", name)
		}
		for _, container := range pod.Containers {
			if s := container.SecurityContext; s == nil || *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem ||
				len(s.Capabilities.Drop) != 1 || s.Capabilities.Drop[0] != "ALL" {
				t.Errorf("%s has more rights than it needs", name)
			}
			for _, resource := range []core.ResourceName{core.ResourceCPU, core.ResourceMemory} {
				least, most := container.Resources.Requests[resource], container.Resources.Limits[resource]
				if least.IsZero() || most.Cmp(least) < 0 {
					t.Errorf("%s: %s from %v to %v", name, resource, &least, &most)
				}
			}
			if probed(container.ReadinessProbe, container) == 0 || probed(container.LivenessProbe, container) == 0 {
				t.Errorf("%s: a probe is missing or asks at a port that is not there", name)
			}
			if !strings.Contains(container.Image, ":") || strings.HasSuffix(container.Image, ":latest") {
				t.Errorf("%s is %s, expected a version", name, container.Image)
			}
		}
	}
}

func TestKubernetes_GatewayIsWhatItsFileSays(t *testing.T) {
	c, _ := manifests(t)
	file, d := gatewayFile(t), c.deployments["gateway"]
	container := d.Spec.Template.Spec.Containers[0]
	if at := probed(container.StartupProbe, container); int(at) != portOf(t, file.Listen) {
		t.Errorf("the startup probe asks at %d, the gateway listens at %s", at, file.Listen)
	}
	if probed(container.ReadinessProbe, container) != 9090 || container.ReadinessProbe.GRPC == nil {
		t.Error("the readiness probe does not ask the external processor")
	}
	pause := time.Duration(container.Lifecycle.PreStop.Sleep.Seconds) * time.Second
	grace := time.Duration(*d.Spec.Template.Spec.TerminationGracePeriodSeconds) * time.Second
	if need := pause + time.Duration(file.Limits.Shutdown)*time.Millisecond; grace <= need {
		t.Errorf("pods are killed after %v, and need %v", grace, need)
	}
	mounts := map[string]bool{}
	for _, mount := range container.VolumeMounts {
		mounts[mount.MountPath] = mount.ReadOnly
	}
	if !mounts[file.Keys] || !mounts["/etc/vsr"] {
		t.Errorf("%s is not mounted, or may be written to: %v", file.Keys, mounts)
	}
}

func TestKubernetes_NamesWhatIsThere(t *testing.T) {
	c, k := manifests(t)
	made := map[string][]string{}
	for _, one := range append(k.ConfigMapGenerator, k.SecretGenerator...) {
		made[one.Name] = one.Files
		for _, file := range one.Files {
			if _, err := os.Stat(filepath.Join(folder, file)); err != nil && file != "keys.yaml" { // that is the user's
				t.Error(err)
			}
		}
	}
	for name, d := range c.deployments {
		for _, volume := range d.Spec.Template.Spec.Volumes {
			of := ""
			if volume.ConfigMap != nil {
				of = volume.ConfigMap.Name
			} else if volume.Secret != nil {
				of = volume.Secret.SecretName
			}
			if made[of] == nil {
				t.Errorf("%s: nobody makes %q for the volume %s", name, of, volume.Name)
			}
		}
	}
	for name, service := range c.services {
		d := c.deployments[name]
		if d == nil || !selects(t, &meta.LabelSelector{MatchLabels: service.Spec.Selector}, d) {
			t.Errorf("the service %s has no pods", name)
			continue
		}
		for _, port := range service.Spec.Ports {
			found := false
			for _, has := range d.Spec.Template.Spec.Containers[0].Ports {
				found = found || has.Name == port.TargetPort.StrVal
			}
			if !found {
				t.Errorf("the service %s sends to %v", name, port.TargetPort)
			}
		}
	}
	for _, at := range clusters(t) {
		if service := c.services[at.Name]; at.Name == "gateway" && (service == nil || int(service.Spec.Ports[0].Port) != at.Port) {
			t.Errorf("Envoy sends to %s:%d, which is no service", at.Name, at.Port)
		}
	}
	for _, budget := range c.budgets {
		if !selects(t, budget.Spec.Selector, c.deployments[budget.Name]) {
			t.Errorf("the budget %s has no pods", budget.Name)
		}
	}
	for _, network := range c.networks {
		if !selects(t, &network.Spec.PodSelector, c.deployments["gateway"]) ||
			!selects(t, network.Spec.Ingress[0].From[0].PodSelector, c.deployments["envoy"]) {
			t.Errorf("the network policy %s is about no pods", network.Name)
		}
	}
}

func TestKubernetes_ScalesByAMetricThatTheGatewayHas(t *testing.T) {
	c, _ := manifests(t)
	if len(c.scalers) != 1 || len(c.deployments) != 2 {
		t.Fatalf("%d autoscalers, %d deployments", len(c.scalers), len(c.deployments))
	}
	scaler := c.scalers[0]
	target := c.deployments[scaler.Spec.ScaleTargetRef.Name]
	if target == nil || target.Spec.Replicas != nil || *scaler.Spec.MinReplicas < 2 {
		t.Error("the autoscaler has no deployment, a rival, or one replica alone")
	}
	metric := scaler.Spec.Metrics[0].Pods.Metric.Name
	if !bytes.Contains(read(t, root+"/examples/gateway/internal/proxy/metrics.go"), []byte(`Name: "`+metric+`"`)) {
		t.Errorf("the gateway has no metric %s", metric)
	}
}

func TestKubernetes_IsBuiltByKustomize(t *testing.T) {
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("kubectl is not on PATH")
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied+"/keys.yaml", []byte("keys: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(kubectl, "kustomize", copied).CombinedOutput()
	if err != nil || bytes.Count(out, []byte("\n---\n")) < 10 || !bytes.Contains(out, []byte("secretName: vsr-keys-")) {
		t.Errorf("%v: %s", err, out)
	}
}
