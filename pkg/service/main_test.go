package service

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
)

// demoProgram is a service started by Main in a process of its own. It prints its address and then every request.
func demoProgram() {
	Main("demo", &struct {
		Serve Command[Config] `cmd:"" help:"Serve."`
	}{NewCommand(func(ctx context.Context, config Config) error {
		tel, err := telemetry.New(ctx, "demo", Version(), config.Telemetry)
		if err != nil {
			return err
		}
		return Serve(ctx, Spec{
			Config: config, Telemetry: tel,
			Listeners: []Listener{{
				Name: "public", Addr: config.Listen.Public,
				Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/hang" {
						_, _ = fmt.Fprintln(os.Stdout, "hanging")
						<-r.Context().Done()
					}
					hello(w, r)
				}),
			}},
			OnReady: func(a Addresses) { _, _ = fmt.Fprintln(os.Stdout, a["public"]) },
		})
	})})
}

type process struct {
	command *exec.Cmd
	lines   *bufio.Scanner
	address string
}

func startProcess(t *testing.T, environment ...string) *process {
	t.Helper()
	p := &process{command: exec.CommandContext(t.Context(), os.Args[0], "serve")}
	p.command.Env = append(os.Environ(), append(environment, "SERVICE_TEST_PROGRAM=1",
		"LISTEN=public=127.0.0.1:0,rpc=127.0.0.1:0,ops=127.0.0.1:0")...)
	out, err := p.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.command.Start())
	p.lines = bufio.NewScanner(out)
	p.address = p.line(t)
	return p
}

func (p *process) line(t *testing.T) string {
	t.Helper()
	require.True(t, p.lines.Scan(), "the process ended")
	return p.lines.Text()
}

// hang sends a request that never gets a response and returns when the handler runs.
func (p *process) hang(t *testing.T) {
	t.Helper()
	r := &running{addresses: Addresses{"public": p.address}}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.try(ctx, "public", "/hang")
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	require.Equal(t, "hanging", p.line(t))
}

// SIGTERM and SIGINT end a program without an error.
func TestProgram_signalEndsItWell(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT} {
		p := startProcess(t, "DRAIN_WAIT=1ms")
		r := &running{addresses: Addresses{"public": p.address}}
		require.Equal(t, "hello", r.get(t, "public", "/").body)
		require.NoError(t, p.command.Process.Signal(signal))
		require.NoError(t, p.command.Wait())
	}
}

func TestASecondSignalKills(t *testing.T) {
	t.Parallel()
	p := startProcess(t, "DRAIN_WAIT=1h")
	p.hang(t)
	// A signal counts as the second one only after the first was received; until then they are one.
	ended := make(chan error, 1)
	go func() { ended <- p.command.Wait() }()
	var err error
	require.Eventually(t, func() bool {
		_ = p.command.Process.Signal(syscall.SIGTERM)
		select {
		case err = <-ended:
			return true
		default:
			return false
		}
	}, time.Minute, 10*time.Millisecond)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	status, ok := exit.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	require.Equal(t, syscall.SIGTERM, status.Signal())
}

type outcome struct {
	code     int
	out, err string
}

func runProgram(t *testing.T, cli any, arguments string, environment, files map[string]string) outcome {
	t.Helper()
	var out, problems strings.Builder
	p := program{name: "demo", cli: cli, out: &out, err: &problems, settings: settings{
		lookup: func(name string) (string, bool) {
			value, ok := environment[name]
			return value, ok
		},
		readFile: func(name string) ([]byte, error) {
			if content, ok := files[name]; ok {
				return []byte(content), nil
			}
			return nil, &os.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
		},
	}}
	code := p.run(t.Context(), strings.Fields(arguments))
	return outcome{code: code, out: out.String(), err: problems.String()}
}

// A command that fails prints its error and exits with 1.
func TestCommand_failureExitsWithOne(t *testing.T) {
	t.Parallel()
	cli := &struct {
		Serve Command[Config] `cmd:""`
	}{NewCommand(func(context.Context, Config) error { return errors.New("no database") })}
	require.Equal(t, outcome{1, "", "demo: no database\n"}, runProgram(t, cli, "serve", nil, nil))
}

// A command that ends because its context did has not failed.
func TestCommand_endsWellWithContext(t *testing.T) {
	t.Parallel()
	cli := &struct {
		Serve Command[Config] `cmd:""`
	}{NewCommand(func(context.Context, Config) error { return fmt.Errorf("wait: %w", context.Canceled) })}
	require.Equal(t, outcome{}, runProgram(t, cli, "serve", nil, nil))
}

func TestCommand_versionAndHelp(t *testing.T) {
	t.Parallel()
	cli := &struct {
		Serve Command[Config] `cmd:"" help:"Serve."`
	}{NewCommand(func(context.Context, Config) error { return nil })}
	require.Equal(t, outcome{0, Version() + "\n", ""}, runProgram(t, cli, "version", nil, nil))
	help := runProgram(t, cli, "serve --help", nil, nil)
	require.Equal(t, 0, help.code)
	require.Contains(t, help.out, "$LISTEN")
	require.Contains(t, help.out, "--drain-wait")
	missing := runProgram(t, cli, "", nil, nil)
	require.Equal(t, 2, missing.code)
	require.Contains(t, missing.err, `expected one of "serve"`)
}
