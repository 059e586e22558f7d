package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/allinone/stack"
)

// startTimeout bounds the start of a service, and the migration of its schema.
const startTimeout = time.Minute

type ports struct{ public, rpc, ops string }

// system is the services of one tree as separate processes, with a database and a Redis database of their own.
type system struct {
	env envfile.Values
	// names lists its services in the order of their start.
	names []string
	// behind is the address of what answers instead of the services behind the gateway, "" for the services.
	behind string
	// readyAfter is the time from the start of each service until it was ready.
	readyAfter map[string]time.Duration

	binaries, dir                    string
	databaseURL, redisURL, collector string
	chart                            *chart
	secrets                          stack.Secrets
	trusted                          string
	ports                            map[string]ports
	running                          map[string]*running
}

type running struct {
	command *exec.Cmd
	child   *launch.Child
}

func (b *benchmark) newSystem(ctx context.Context, tree *tree, name string, names []string) (*system, error) {
	s := b.unstarted(tree, name, names)
	s.collector = "http://" + b.ground.spansAt
	return s, s.start(ctx, b.ground, tree, name)
}

// newGateway starts a gateway alone, in front of the address. It does not trace, as what it is compared with does not.
func (b *benchmark) newGateway(ctx context.Context, behind string) (*system, error) {
	s := b.unstarted(b.tree, "gateway", []string{"gateway"})
	s.behind = behind
	return s, s.start(ctx, b.ground, b.tree, "gateway")
}

func (b *benchmark) unstarted(tree *tree, name string, names []string) *system {
	return &system{
		names: names, binaries: tree.binaries, chart: tree.chart, dir: filepath.Join(b.Dir, name),
		ports: map[string]ports{}, running: map[string]*running{}, readyAfter: map[string]time.Duration{},
	}
}

func (s *system) start(ctx context.Context, on *ground, tree *tree, name string) error {
	err := os.MkdirAll(s.dir, 0o700)
	if err != nil {
		return err
	}
	if s.secrets, err = stack.NewSecrets(); err != nil {
		return err
	}
	private, _, err := s.secrets.Keys()
	if err != nil {
		return err
	}
	s.trusted = tree.chart.trusted(private)
	if s.databaseURL, s.redisURL, err = on.newDatabases(ctx, name); err != nil {
		return err
	}
	for _, service := range s.names {
		if s.ports[service], err = freePorts(ctx); err != nil {
			return err
		}
	}
	for _, service := range s.names {
		if err := s.startService(ctx, service); err != nil {
			return errors.Join(err, s.stop())
		}
	}
	s.env, err = s.values()
	return err
}

func freePorts(ctx context.Context) (ports, error) {
	var addresses [3]string
	for i := range addresses {
		port, err := launch.ListenFree(ctx)
		if err != nil {
			return ports{}, err
		}
		defer func() { _ = port.Close() }()
		addresses[i] = port.Addr().String()
	}
	return ports{addresses[0], addresses[1], addresses[2]}, nil
}

// startService migrates the schema of a service, gives the service its role, starts it and waits until it is ready.
func (s *system) startService(ctx context.Context, name string) error {
	if err := s.migrate(ctx, name); err != nil {
		return err
	}
	if _, err := stack.Restrict(ctx, secret.New(s.databaseURL), name); err != nil {
		return err
	}
	return s.run(ctx, name)
}

func (s *system) migrate(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, filepath.Join(s.binaries, name), "migrate")
	command.Env = settings{"DATABASE_URL": s.databaseURL}.environ()
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s migrate: %w\n%s", name, err, lastLines(string(output)))
	}
	return nil
}

func (s *system) run(ctx context.Context, name string) error {
	told, err := s.settingsOf(name)
	if err != nil {
		return err
	}
	log, err := os.Create(s.log(name))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	command := exec.Command(filepath.Join(s.binaries, name), "serve") //nolint:noctx // it is killed with this process
	command.Env, command.Stdout, command.Stderr = told.environ(), log, log
	began := time.Now()
	child, err := launch.Start(command)
	if err != nil {
		return err
	}
	s.running[name] = &running{command, child}
	if err := s.awaitReady(ctx, name); err != nil {
		return err
	}
	s.readyAfter[name] = time.Since(began)
	return nil
}

func (s *system) log(name string) string { return filepath.Join(s.dir, name+".log") }

func (s *system) awaitReady(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	pause := time.NewTicker(time.Millisecond)
	defer pause.Stop()
	for {
		if s.isReady(ctx, name) {
			return nil
		}
		select {
		case <-s.running[name].child.Ended():
			return s.explain(name, errors.New("the process has exited"))
		case <-ctx.Done():
			return s.explain(name, ctx.Err())
		case <-pause.C:
		}
	}
}

func (s *system) isReady(ctx context.Context, name string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.ports[name].ops+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode == http.StatusOK
}

func (s *system) explain(name string, err error) error {
	text, _ := os.ReadFile(s.log(name))
	return fmt.Errorf("%s does not get ready: %w\n%s", name, err, lastLines(string(text)))
}

// complaints returns the last errors in the logs of the services, or nil when there are none.
func (s *system) complaints() error {
	var found []string
	for _, name := range s.names {
		text, _ := os.ReadFile(s.log(name))
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, `"level":"ERROR"`) {
				found = append(found, line)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return errors.New(lastLines(strings.Join(found, "")))
}

const outputLines = 10

func lastLines(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.Join(lines[max(0, len(lines)-outputLines):], "\n")
}

func (s *system) values() (envfile.Values, error) {
	key, err := trust.ParsePrivateKey(s.secrets.Private[trust.Issuer].Reveal())
	if err != nil {
		return envfile.Values{}, err
	}
	token, err := rpc.NewToken(rpc.Identity{
		Party: trust.Issuer, Key: key, Caller: rpc.CallerMarketplace, Audience: rpc.Audience(rpc.CallerMarketplace),
	}, rpc.MaxTokenLife)
	if err != nil {
		return envfile.Values{}, err
	}
	of := func(name string) string { return "http://" + s.ports[name].rpc }
	return envfile.Values{
		GatewayURL: "http://" + s.ports["gateway"].public, OrdersRPCURL: of("orders"), ClaimsRPCURL: of("claims"), QnARPCURL: of("qna"),
		KeysRPCURL: of("gateway"), RPCToken: token.Text, DatabaseURL: s.databaseURL, RedisURL: s.redisURL,
	}, nil
}

func (s *system) pids() map[string]int {
	all := map[string]int{}
	for name, one := range s.running {
		all[name] = one.command.Process.Pid
	}
	return all
}

// stop kills the services at once: they receive no more calls, and their data is discarded.
func (s *system) stop() error {
	var err error
	for _, name := range slices.Sorted(maps.Keys(s.running)) {
		err = errors.Join(err, s.running[name].child.Kill())
	}
	return err
}
