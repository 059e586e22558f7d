package launch

import (
	"context"
	"net"
	"net/url"
	"syscall"
	"time"
)

// Program describes a server that this package does not know.
type Program struct {
	Name string
	// Command writes the files that the program needs into its directory, and returns its command line for a port.
	Command func(dir string, port int) ([]string, error)
	// PortTaken is the message in the program's log when another program has the port.
	PortTaken string
}

// Other starts a server that speaks HTTP, and returns when it accepts connections. It runs as the current user, and SIGTERM
// ends it and what it has started. The context bounds the start only.
func Other(ctx context.Context, dir string, program Program, options Options) (*Server, error) {
	other := &kind{
		name:          program.Name,
		prepare:       prepareNothing,
		command:       func(h *home, port int, _ Options) ([]string, error) { return program.Command(h.dir, port) },
		url:           func(_ *home, port int) string { return "http://" + address(port) },
		probe:         probeConnection,
		portTaken:     program.PortTaken,
		onParentDeath: syscall.SIGTERM,
		stop:          []step{{syscall.SIGTERM, 15 * time.Second}, {syscall.SIGKILL, time.Minute}},
	}
	return other.start(ctx, dir, nil, options)
}

func probeConnection(ctx context.Context, server string) error {
	u, err := url.Parse(server)
	if err != nil {
		return err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return err
	}
	return conn.Close()
}
