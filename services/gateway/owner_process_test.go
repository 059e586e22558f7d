package gateway_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// The environment of an owning service in its own process. ownerEnv is the folder in which it and the test leave marks for each
// other.
const (
	ownerEnv         = "GATEWAY_TEST_OWNER"
	ownerDatabaseEnv = "GATEWAY_TEST_OWNER_DATABASE"
	ownerSchemaEnv   = "GATEWAY_TEST_OWNER_SCHEMA"
	ownerAddressEnv  = "GATEWAY_TEST_OWNER_ADDRESS"
)

// ownerMain is the process of an owning service. It prints its address as a service does.
func ownerMain() int {
	if err := serveOwner(context.Background()); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func serveOwner(ctx context.Context) error {
	tel, err := telemetry.New(ctx, "owner", "test", telemetry.Config{}, telemetry.WithLogWriter(io.Discard))
	if err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, postgres.Config{URL: secret.New(os.Getenv(ownerDatabaseEnv))}, os.Getenv(ownerSchemaEnv), tel)
	if err != nil {
		return err
	}
	defer pool.Close()
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", os.Getenv(ownerAddressEnv))
	if err != nil {
		return err
	}
	owner := ownertest.New(ownertest.Options{Pool: pool, Telemetry: tel, At: atPoint})
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		owner.ServeHTTP(w, r)
		_ = http.NewResponseController(w).Flush()
		mark(os.Getenv(ownerEnv), path.Base(path.Dir(r.URL.Path))+markAnswered)
	})}
	slog.New(slog.NewJSONHandler(os.Stdout, nil)).InfoContext(ctx, "serving", "addresses",
		service.Addresses{"public": port.Addr().String()})
	return server.Serve(port)
}

// The names of records that make a service die, or wait for its test, at a point; once for each name.
func diesAt(point ownertest.Point) string  { return "die-" + string(point) }
func waitsAt(point ownertest.Point) string { return "wait-" + string(point) }

// The marks that a waiting service and its test leave in the folder.
const (
	markReached  = ".reached"
	markGoOn     = ".go_on"
	markAnswered = ".answered"
)

// atPoint does what the name of a record says.
func atPoint(point ownertest.Point, name string) {
	what, where, _ := strings.Cut(name, "-")
	folder := os.Getenv(ownerEnv)
	if where != string(point) || !mark(folder, name+markReached) {
		return
	}
	switch what {
	case "die":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // until the process is killed
	case "wait":
		for !marked(folder, name+markGoOn) {
			<-time.After(time.Millisecond)
		}
	}
}

func mark(folder, name string) bool {
	file, err := os.OpenFile(filepath.Join(folder, name), os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = file.Close()
	}
	return err == nil
}

func marked(folder, name string) bool {
	_, err := os.Stat(filepath.Join(folder, name))
	return err == nil
}
