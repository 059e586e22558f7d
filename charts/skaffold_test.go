package charts

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// configuration is what the tests read of a document of skaffold.yaml, which TestSkaffold_fitsItsSchema holds to its schema.
type configuration struct {
	Metadata  struct{ Name string }
	Requires  []struct{ Configs []string }
	Manifests struct{ Kustomize struct{ Paths []string } }
	Build     struct{ Artifacts []artifact }
	Deploy    struct {
		Kubectl struct{ Hooks hooks }
		Helm    struct {
			Releases []release
			Hooks    hooks
		}
	}
	PortForward []forward `yaml:"portForward"`
	Verify      []struct {
		Container     struct{ Image string }
		ExecutionMode struct {
			KubernetesCluster struct {
				JobManifestPath string `yaml:"jobManifestPath"`
			} `yaml:"kubernetesCluster"`
		} `yaml:"executionMode"`
	}
	Profiles []struct {
		Name    string
		Patches []struct {
			Op, Path string
			Value    yaml.Node
		}
	}
}

type artifact struct {
	Image string
	Ko    struct {
		Dir, Main    string
		FromImage    string `yaml:"fromImage"`
		Dependencies struct{ Paths, Ignore []string }
	}
}

type release struct {
	Name, Namespace   string
	ChartPath         string            `yaml:"chartPath"`
	ValuesFiles       []string          `yaml:"valuesFiles"`
	SetValueTemplates map[string]string `yaml:"setValueTemplates"`
}

type hooks struct {
	Before, After []struct {
		Host struct{ Command []string }
	}
}

type forward struct {
	ResourceType string `yaml:"resourceType"`
	ResourceName string `yaml:"resourceName"`
	Namespace    string
	Port         int
	LocalPort    int `yaml:"localPort"`
}

func skaffold(t *testing.T) (dependencies, system configuration) {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(read(t, skaffolded)))
	var all []configuration
	for {
		var c configuration
		err := decoder.Decode(&c)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		all = append(all, c)
	}
	require.Len(t, all, 2)
	return all[0], all[1]
}

func top(path string) string { return filepath.Join("..", path) }

// Every path that the Skaffold file names exists in the repository.
func TestSkaffold_pathsExist(t *testing.T) {
	t.Parallel()
	dependencies, system := skaffold(t)
	for _, path := range dependencies.Manifests.Kustomize.Paths {
		require.FileExists(t, top(path+"/kustomization.yaml"))
	}
	for _, a := range system.Build.Artifacts {
		require.FileExists(t, top(filepath.Join(a.Ko.Dir, a.Ko.Main, "main.go")))
	}
	for _, r := range system.Deploy.Helm.Releases {
		require.FileExists(t, top(r.ChartPath+"/Chart.yaml"))
		for _, path := range r.ValuesFiles {
			require.FileExists(t, top(path))
		}
	}
	for _, v := range system.Verify {
		require.FileExists(t, top(v.ExecutionMode.KubernetesCluster.JobManifestPath))
	}
	script := regexp.MustCompile(`\bk8s/[\w./-]+`)
	for _, command := range commands(dependencies, system) {
		for _, path := range script.FindAllString(command, -1) {
			require.FileExists(t, top(path))
		}
	}
}

func commands(all ...configuration) []string {
	var texts []string
	for _, c := range all {
		for _, h := range []hooks{c.Deploy.Kubectl.Hooks, c.Deploy.Helm.Hooks} {
			for _, hook := range slices.Concat(h.Before, h.After) {
				texts = append(texts, strings.Join(hook.Host.Command, " "))
			}
		}
	}
	return texts
}

// Skaffold deploys the dependencies before the chart, creates the Secrets before both and seeds the marketplace after both.
func TestSkaffold_dependenciesBeforeChart(t *testing.T) {
	t.Parallel()
	dependencies, system := skaffold(t)
	require.Len(t, system.Requires, 1)
	require.Equal(t, []string{dependencies.Metadata.Name}, system.Requires[0].Configs)
	texts := commands(dependencies, system)
	require.Len(t, texts, 2)
	require.Contains(t, texts[0], "k8s/secrets "+system.Deploy.Helm.Releases[0].Namespace)
	require.Contains(t, texts[1], "k8s/seed "+system.Deploy.Helm.Releases[0].Namespace+" open-api")
}

func TestSkaffold_buildsEveryChartImage(t *testing.T) {
	t.Parallel()
	_, system := skaffold(t)
	images := make([]string, 0, len(delivered))
	want := map[string]string{}
	for _, a := range system.Build.Artifacts {
		images = append(images, a.Image)
		want[a.Image+".image"] = "{{.IMAGE_FULLY_QUALIFIED_" + a.Image + "}}"
	}
	require.ElementsMatch(t, delivered, images)
	require.Equal(t, want, system.Deploy.Helm.Releases[0].SetValueTemplates)

	arguments := make([]string, 0, 2*len(want))
	for value := range want {
		arguments = append(arguments, "--set", value+"=registry.example.com/"+strings.TrimSuffix(value, ".image")+":from-skaffold")
	}
	arguments = append(arguments, "--values", top("k8s/overlays/development/console-values.yaml"))
	for _, o := range installed(t, arguments...) {
		if spec := podSpec(o); spec != nil {
			require.Regexp(t, "^registry.example.com/("+strings.Join(delivered, "|")+"):from-skaffold$",
				spec.containers()[0].text("image"), o.name())
		}
	}
	for _, v := range system.Verify {
		require.Contains(t, images, v.Container.Image)
	}
}

// ko reads .ko.yaml in the folder of the module that it builds, so skaffold.yaml repeats the base image.
func TestSkaffold_buildsOnBaseOfReleases(t *testing.T) {
	t.Parallel()
	var ko struct {
		DefaultBaseImage string `yaml:"defaultBaseImage"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "../.ko.yaml")), &ko))
	require.Regexp(t, `^[a-z0-9./-]+:[a-z0-9-]+@sha256:[0-9a-f]{64}$`, ko.DefaultBaseImage)
	_, system := skaffold(t)
	for _, a := range system.Build.Artifacts {
		require.Equal(t, ko.DefaultBaseImage, a.Ko.FromImage, a.Image)
	}
}

func installed(t *testing.T, more ...string) []object {
	t.Helper()
	_, system := skaffold(t)
	r := system.Deploy.Helm.Releases[0]
	arguments := []string{"template", r.Name, top(r.ChartPath), "--namespace", r.Namespace}
	for _, path := range r.ValuesFiles {
		arguments = append(arguments, "--values", top(path))
	}
	return objects(t, run(t, "helm", append(arguments, more...)...))
}

func TestSkaffold_forwardsRenderedPorts(t *testing.T) {
	t.Parallel()
	dependencies, system := skaffold(t)
	all := installed(t)
	for _, path := range dependencies.Manifests.Kustomize.Paths {
		all = append(all, built(t, top(path))...)
	}
	console, address := consoleForward(t, system)
	all = append(all, installed(t, "--values", top("k8s/overlays/development/console-values.yaml"))...)
	require.Equal(t, fmt.Sprintf("http://127.0.0.1:%d", console.LocalPort), address)
	local := map[int]bool{}
	for _, f := range slices.Concat(dependencies.PortForward, system.PortForward, []forward{console}) {
		require.Equal(t, "service", f.ResourceType)
		require.False(t, local[f.LocalPort], "two forwards from %d", f.LocalPort)
		local[f.LocalPort] = true
		require.True(t, slices.ContainsFunc(all, func(o object) bool {
			return o.name() == "Service/"+f.Namespace+"/"+f.ResourceName && hasPort(o, f.Port)
		}), "no Service %s with port %d in %s", f.ResourceName, f.Port, f.Namespace)
	}
}

// consoleForward returns the port forward that the profile console adds, and the address at which the console expects browsers.
func consoleForward(t *testing.T, system configuration) (added forward, address string) {
	t.Helper()
	for _, profile := range system.Profiles {
		for _, patch := range profile.Patches {
			if profile.Name == "console" && patch.Path == "/portForward/-" {
				require.NoError(t, patch.Value.Decode(&added))
			}
		}
	}
	var v struct {
		Console struct {
			PublicURL string `yaml:"publicURL"`
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, top("k8s/overlays/development/console-values.yaml"))), &v))
	return added, v.Console.PublicURL
}

func hasPort(service object, number int) bool {
	ports, _ := service.at("spec", "ports").([]any)
	return slices.ContainsFunc(ports, func(entry any) bool {
		port, _ := entry.(object)
		return port.at("port") == number
	})
}

// Skaffold watches every source file of a program; after a change of an unwatched file it would continue with the old image.
func TestSkaffold_watchesProgramSources(t *testing.T) {
	t.Parallel()
	_, system := skaffold(t)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for _, a := range system.Build.Artifacts {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
			`{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}`, a.Ko.Main)
		list.Dir = top(a.Ko.Dir)
		out, err := list.Output()
		require.NoError(t, err)
		files := 0
		for line := range strings.Lines(string(out)) {
			path, err := filepath.Rel(root, strings.TrimSpace(line))
			if err != nil || strings.HasPrefix(path, "..") {
				continue
			}
			files++
			require.True(t, matches(t, path, a.Ko.Dependencies.Paths), "%s: %s is not watched", a.Image, path)
			require.False(t, matches(t, path, a.Ko.Dependencies.Ignore), "%s: %s is ignored", a.Image, path)
		}
		require.Greater(t, files, 50, a.Image)
	}
}

// matches reports whether a path matches one of the patterns, in which ** stands for any number of folders.
func matches(t *testing.T, path string, patterns []string) bool {
	t.Helper()
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		expression := regexp.QuoteMeta(pattern)
		expression = strings.ReplaceAll(expression, `\*\*/`, `(.*/)?`)
		expression = strings.ReplaceAll(expression, `\*\*`, `.*`)
		expression = strings.ReplaceAll(expression, `\*`, `[^/]*`)
		return regexp.MustCompile("^" + expression + "$").MatchString(path)
	})
}
