package charts

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/trust/trusttest"
)

var services = func() []string {
	names := append(make([]string, 0, len(operation.Services())+1), "gateway")
	for _, backend := range operation.Services() {
		names = append(names, string(backend))
	}
	return names
}()

// delivered are the services with an image: those with a schema, and the console, which the variants console and everything
// install.
var delivered = append(slices.Clone(services), "console")

// leastOf returns the variant with the least values that installs a service.
func leastOf(service string) string {
	if service == "console" {
		return "console"
	}
	return "minimal"
}

// foreign are environment variables that the programs' libraries read, not the programs themselves.
var foreign = []string{"GOMEMLIMIT", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_CERTIFICATE", "SSL_CERT_DIR"}

// programs maps each service to a function that builds its program once and returns the path; TestMain removes the programs.
var programs = map[string]func() (string, error){}

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "charts-test-")
	if err != nil {
		panic(err)
	}
	for _, service := range delivered {
		programs[service] = sync.OnceValues(func() (string, error) { return build(service, filepath.Join(folder, service)) })
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

func build(service, path string) (string, error) {
	command := exec.Command("go", "build", "-o", path, "./cmd/"+service)
	command.Dir = filepath.Join("..", "services", service)
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", service, err, out)
	}
	return path, nil
}

func program(t *testing.T, service string) string {
	t.Helper()
	path, err := programs[service]()
	require.NoError(t, err)
	return path
}

// environment returns the environment variables of a container of the chart. Files with secrets are written to a temporary
// folder.
func environment(t *testing.T, container object) []string {
	t.Helper()
	folder := t.TempDir()
	secret := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32)))
	files := map[string]string{"TRUSTED_KEYS": trusttest.Keys().String()}
	list, _ := container.at("env").([]any)
	all := make([]string, 0, len(list))
	for _, entry := range list {
		variable, _ := entry.(object)
		value := variable.text("value")
		if strings.HasSuffix(variable.text("name"), "_FILE") {
			value = filepath.Join(folder, filepath.Base(value))
			require.NoError(t, os.WriteFile(value, []byte(cmp.Or(files[filepath.Base(value)], secret)+"\n"), 0o600))
		}
		all = append(all, variable.text("name")+"="+value)
	}
	return all
}

func container(t *testing.T, variant, kind, name string) object {
	t.Helper()
	for _, o := range rendered(t, variant) {
		if o.text("kind") == kind && strings.HasSuffix(o.text("metadata", "name"), "-"+name) {
			return podSpec(o).containers()[0]
		}
	}
	require.Fail(t, "not rendered", "%s %s in %s", kind, name, variant)
	return nil
}

func TestEnvironmentVariables_readByProgram(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`\$([A-Z0-9_]+)`)
	for _, service := range delivered {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			known := foreign
			help := run(t, program(t, service), "serve", "--help")
			for _, found := range name.FindAllStringSubmatch(help, -1) {
				known = append(known, found[1])
			}
			list, _ := container(t, "everything", "Deployment", service).at("env").([]any)
			require.Greater(t, len(list), 10)
			for _, entry := range list {
				variable, _ := entry.(object)
				require.Contains(t, known, strings.TrimSuffix(variable.text("name"), "_FILE"))
			}
		})
	}
}

// A value that cannot be parsed makes the program list all problems of its settings at once. When it lists only this one,
// every required setting was given and is valid.
func TestEnvironmentVariables_complete(t *testing.T) {
	t.Parallel()
	for _, service := range delivered {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			path := program(t, service)
			commands := map[string]object{"serve": container(t, leastOf(service), "Deployment", service)}
			mistake, told := "DATABASE_MAX_CONNS=many", "--database-max-conns (DATABASE_MAX_CONNS)"
			if service == "console" {
				mistake, told = "SESSION_LIFE=long", "--session-life (SESSION_LIFE)"
			} else {
				commands["migrate"] = container(t, "minimal", "Job", service+"-migrate")
			}
			for command, c := range commands {
				require.Equal(t, []any{command}, c.at("args"))
				start := exec.CommandContext(t.Context(), path, command)
				start.Env = append(environment(t, c), mistake)
				out, err := start.CombinedOutput()
				var exit *exec.ExitError
				require.ErrorAs(t, err, &exit, "%s started", command)
				lines := strings.Split(strings.TrimSpace(string(out)), "\n")
				require.Len(t, lines, 2, "%s: %s", command, out)
				require.Contains(t, lines[1], told)
			}
		})
	}
}

// The gateway program has the command that the chart's smoke test runs.
func TestSmokeTest_commandExists(t *testing.T) {
	t.Parallel()
	arguments, _ := podSpec(smokePod(t)).containers()[0].at("args").([]any)
	words := make([]string, len(arguments), len(arguments)+1)
	for n, argument := range arguments {
		words[n], _ = argument.(string)
	}
	got := try(t, program(t, "gateway"), append(words, "--help")...)
	require.NoError(t, got.err, got.problem)
	require.Contains(t, got.out, "$API_KEY")
}

func smokePod(t *testing.T) object {
	t.Helper()
	for _, o := range rendered(t, "minimal") {
		if o.text("kind") == "Pod" {
			return o
		}
	}
	require.Fail(t, "no pod")
	return nil
}

// A pod is not killed before the program has aborted the remaining requests: it does so five seconds after the longest
// operation, and takes ten seconds at most.
func TestGracePeriod_outlastsPrograms(t *testing.T) {
	t.Parallel()
	v, _ := parsed(t)
	defaults, _ := v["defaults"].(values)
	drain, ok := defaults["drainWaitSeconds"].(int)
	require.True(t, ok)
	want := time.Duration(drain)*time.Second + operation.MaxTimeout() + 15*time.Second
	for _, o := range rendered(t, "minimal") {
		if o.text("kind") == "Deployment" {
			require.Equal(t, strconv.Itoa(int(want.Seconds())), jsonNumber(podSpec(o)["terminationGracePeriodSeconds"]), o.name())
		}
	}
}

func TestServicePorts_matchPrograms(t *testing.T) {
	t.Parallel()
	listen := map[string]string{"http": "public", "rpc": "rpc", "ops": "ops"}
	for _, service := range delivered {
		c := container(t, leastOf(service), "Deployment", service)
		told := map[string]bool{}
		for _, variable := range environment(t, c) {
			if name, addresses, _ := strings.Cut(variable, "="); name == "LISTEN" {
				for address := range strings.SplitSeq(addresses, ",") {
					told[address] = true
				}
			}
		}
		ports, _ := c.at("ports").([]any)
		if service == "console" { // it has no RPC
			require.Len(t, ports, 2)
		} else {
			require.Len(t, ports, len(listen))
		}
		for _, entry := range ports {
			port, _ := entry.(object)
			require.Contains(t, told, listen[port.text("name")]+"=:"+jsonNumber(port.at("containerPort")))
		}
	}
}
