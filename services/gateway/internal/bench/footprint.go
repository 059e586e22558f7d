package bench

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/gateway/internal/apikey"
)

const (
	// idleConnections is the number of connections left open, each after one read.
	idleConnections = 1000
	// atRest is the time after which an idle process is measured.
	atRest       = 3 * time.Second
	startsWithin = time.Minute
)

func (b *bench) footprint(ctx context.Context) error {
	b.progress("the gateway's own program at rest, and with %d idle connections", idleConnections)
	ctx, stop := context.WithCancel(ctx)
	defer stop() // ends the program
	began := time.Now()
	program, public, err := b.startGateway(ctx)
	if err != nil {
		return err
	}
	took := time.Since(began)
	idle, err := restingMemory(ctx, program)
	if err != nil {
		return err
	}
	connected, err := b.idleMemory(ctx, program, public)
	b.print("\nthe gateway at rest: %.1f MiB, ready %s after its start, %.1f MiB more with %d idle connections",
		mebibytes(idle), took.Round(time.Millisecond), mebibytes(connected-idle), idleConnections)
	return errors.Join(err, end(program))
}

func mebibytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func end(program *exec.Cmd) error {
	return errors.Join(program.Process.Signal(os.Interrupt), program.Wait())
}

func restingMemory(ctx context.Context, program *exec.Cmd) (int64, error) {
	if !until(ctx, time.Now().Add(atRest)) {
		return 0, ctx.Err()
	}
	return launch.Memory(program.Process.Pid)
}

func (b *bench) idleMemory(ctx context.Context, program *exec.Cmd, public string) (int64, error) {
	var group errgroup.Group
	group.SetLimit(b.Connections)
	clients := make([]*client, idleConnections)
	for i := range clients {
		group.Go(func() (err error) {
			clients[i], err = dial(ctx, public, b.ready.Keys[i%len(b.ready.Keys):][:1])
			if err != nil {
				return err
			}
			return clients[i].do(fullPage)
		})
	}
	err := group.Wait()
	defer func() {
		for _, c := range clients {
			if c != nil {
				_ = c.conn.Close()
			}
		}
	}()
	if err != nil {
		return 0, err
	}
	return restingMemory(ctx, program)
}

// startGateway starts the program with production settings and returns when it is ready.
func (b *bench) startGateway(ctx context.Context) (*exec.Cmd, string, error) {
	settings, err := b.settings()
	if err != nil {
		return nil, "", err
	}
	path, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	program := exec.CommandContext(ctx, path, gatewayCommand)
	program.Env = settings
	log, err := program.StderrPipe()
	if err != nil {
		return nil, "", err
	}
	if err := program.Start(); err != nil {
		return nil, "", err
	}
	addresses, err := serving(log)
	if err == nil {
		err = ready200(ctx, "http://"+addresses["ops"]+"/readyz")
	}
	return program, addresses["public"], err
}

// settings returns the environment of a gateway that has the keys of this run. Its Redis timeout is that of the other targets:
// on a busy machine the first of a thousand connections would be refused otherwise, and waiting takes no memory.
func (b *bench) settings() ([]string, error) {
	pepper := base64.StdEncoding.EncodeToString(letters().Current())
	key, trusted, err := parties()
	if err != nil {
		return nil, err
	}
	keyset, err := apikey.NewKeyset()
	service := "http://" + b.inner.Address
	return []string{
		"ENVIRONMENT=test", "KEY_PEPPER=" + pepper, "KEY_ENCRYPTION_KEYSET=" + keyset.Reveal(), "SIGNING_KEY=" + key.Reveal(),
		"TRUSTED_KEYS=" + trusted.String(),
		"DATABASE_URL=" + b.postgres.URL, "REDIS_URL=" + b.redis.URL, "DRAIN_WAIT=0s", "RATE_TIMEOUT=5s",
		"UPSTREAMS=orders=" + service + ",claims=" + service + ",qna=" + service,
		"LISTEN=public=127.0.0.1:0,rpc=127.0.0.1:0,ops=127.0.0.1:0",
	}, err
}

// errSilent says that a program ended before it reported its addresses.
var errSilent = errors.New("the service does not listen")

// serving reads the addresses of a program from its log. The rest of the log is discarded.
func serving(log io.Reader) (map[string]string, error) {
	lines := bufio.NewScanner(log)
	last := ""
	for lines.Scan() {
		var line struct {
			Msg       string            `json:"msg"`
			Addresses map[string]string `json:"addresses"`
		}
		last = lines.Text()
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return line.Addresses, nil
		}
	}
	return nil, fmt.Errorf("%w: %s", errSilent, last)
}

func ready200(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
		if err != nil {
			return err
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		if !until(ctx, time.Now().Add(5*time.Millisecond)) {
			return ctx.Err()
		}
	}
}
