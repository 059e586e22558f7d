package bench

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/service"
)

// ownSettings are the settings of a service's session that do not affect its statements, and those of row-level security.
var ownSettings = []string{"user", "database", "application_name", "role", "app.seller"}

// session returns the settings with which a service opens its sessions, on which its statements depend. It starts the
// service once more with a database address that only listens, and reads the first message of its session.
func (s *system) session(ctx context.Context, name string) (string, error) {
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = port.Close() }()
	if err := port.(*net.TCPListener).SetDeadline(time.Now().Add(startTimeout)); err != nil {
		return "", err
	}
	told, err := s.settingsOf(name)
	if err != nil {
		return "", err
	}
	address, err := url.Parse(told["DATABASE_URL"])
	if err != nil {
		return "", errDatabase
	}
	address.Host = port.Addr().String()
	const free = "127.0.0.1:0"
	maps.Copy(told, settings{
		"DATABASE_URL": address.String(), "LISTEN": service.Listen{Public: free, RPC: free, Ops: free}.String(),
		"LISTEN_PUBLIC": free, "LISTEN_RPC": free, "LISTEN_OPS": free, // see former
	})
	command := exec.Command(filepath.Join(s.binaries, name), "serve") //nolint:noctx // it is killed with this process
	command.Env = told.environ()
	child, err := launch.Start(command)
	if err != nil {
		return "", err
	}
	defer func() { _ = child.Kill() }()
	return readSession(port)
}

// readSession returns the parameters in the first message of a client as options for libpq.
func readSession(port net.Listener) (string, error) {
	conn, err := port.Accept()
	if err != nil {
		return "", fmt.Errorf("a service opens no session: %w", err)
	}
	defer func() { _ = conn.Close() }()
	message, err := pgproto3.NewBackend(conn, conn).ReceiveStartupMessage()
	if err != nil {
		return "", err
	}
	startup, ok := message.(*pgproto3.StartupMessage)
	if !ok {
		return "", fmt.Errorf("a service starts its session with %T", message)
	}
	var options []string
	for _, name := range slices.Sorted(maps.Keys(startup.Parameters)) {
		if !slices.Contains(ownSettings, name) {
			value := strings.NewReplacer(`\`, `\\`, ` `, `\ `).Replace(startup.Parameters[name])
			options = append(options, "-c "+name+"="+value)
		}
	}
	return strings.Join(options, " "), nil
}
