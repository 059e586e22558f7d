package charts

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

var update = flag.Bool("update", false, "rewrite the rendered documents")

const (
	chart      = "seller-open-api"
	alerts     = chart + "/alerts"
	manifests  = "../k8s"
	skaffolded = "../skaffold.yaml"
)

type outcome struct {
	out, problem string
	err          error
}

func try(t *testing.T, name string, arguments ...string) outcome {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err, "%s is missing; `make chart-test` installs it", name)
	command := exec.CommandContext(t.Context(), path, arguments...)
	var out, problem bytes.Buffer
	command.Stdout, command.Stderr = &out, &problem
	err = command.Run()
	return outcome{out.String(), problem.String(), err}
}

func run(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	got := try(t, name, arguments...)
	require.NoError(t, got.err, "%s %s\n%s%s", name, strings.Join(arguments, " "), got.out, got.problem)
	return got.out
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

type object map[string]any

// at returns the value under the path of keys, nil when there is none.
func (o object) at(keys ...string) any {
	var here any = o
	for _, key := range keys {
		members, ok := here.(object) // the decoder gives nested maps the type of the outermost
		if !ok {
			return nil
		}
		here = members[key]
	}
	return here
}

func (o object) text(keys ...string) string {
	s, _ := o.at(keys...).(string)
	return s
}

func (o object) name() string {
	return strings.Join([]string{o.text("kind"), o.text("metadata", "namespace"), o.text("metadata", "name")}, "/")
}

func objects(t *testing.T, stream string) []object {
	t.Helper()
	var all []object
	decoder := yaml.NewDecoder(strings.NewReader(stream))
	for {
		var o object
		err := decoder.Decode(&o)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		if len(o) > 0 {
			all = append(all, o)
		}
	}
}

func rendered(t *testing.T, variant string, more ...string) []object {
	t.Helper()
	values := filepath.Join(chart, "ci", variant+"-values.yaml")
	return objects(t, run(t, "helm", slices.Concat([]string{
		"template", "soa", chart, "--namespace", "shop",
		"--values", values,
	}, more)...))
}

func variants(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(chart, "ci", "*-values.yaml"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 2)
	for n, path := range paths {
		paths[n] = strings.TrimSuffix(filepath.Base(path), "-values.yaml")
	}
	return paths
}
