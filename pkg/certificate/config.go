package certificate

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"time"
)

const (
	certificateFile = "tls.crt"
	keyFile         = "tls.key"
	authorityFile   = "ca.crt"
)

// interval is the time between two checks of the files, short compared to the minute that a cluster takes to update them.
const interval = 10 * time.Second

const oldest = tls.VersionTLS12

// Config names the directory of the files. The zero value is no TLS.
type Config struct {
	Dir string `name:"tls-dir" env:"TLS_DIR" help:"Directory with tls.crt, tls.key and ca.crt for TLS between services, as cert-manager writes them; they are reloaded when they change. Empty: no TLS."`

	// Interval is the least time between two checks of the files; 10 s when it is zero.
	Interval time.Duration `kong:"-"`

	connectTo string // see Client
}

// Client has the settings of a program that calls services from outside their network. The zero value is no TLS.
type Client struct {
	Config `embed:""`

	ConnectTo string `help:"Host to which TLS connections are opened instead of the host of a URL, which the server's certificate must still name: 127.0.0.1 for ports forwarded by kubectl. Empty: the host of the URL."`
}

// Dialer is that of [Config], which connects to ConnectTo.
func (c Client) Dialer(dialer *net.Dialer, log *slog.Logger) (Dial, error) {
	c.connectTo = c.ConnectTo
	return c.Config.Dialer(dialer, log)
}

// Server returns the configuration of a server, nil without a directory. An error names the unusable file.
func (c Config) Server(log *slog.Logger) (*tls.Config, error) {
	if c.Dir == "" {
		return nil, nil //nolint:nilnil // no TLS is what net/http means by nil
	}
	pair, err := watch(c.files(certificateFile, keyFile), c.interval(), log, func(contents [][]byte) (*tls.Certificate, error) {
		read, err := tls.X509KeyPair(contents[0], contents[1])
		return &read, err
	})
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion:     oldest,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return pair.current(), nil },
	}, nil
}

// Dial opens a connection, as http.Transport.DialTLSContext does.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Dialer returns what a client opens TLS connections with, nil without a directory. The dialer's time-out is for connection and
// handshake together. The protocol within is HTTP/1.1. An error names the file that cannot be used; of the directory, ca.crt
// alone is read.
func (c Config) Dialer(dialer *net.Dialer, log *slog.Logger) (Dial, error) {
	if c.Dir == "" {
		return nil, nil //nolint:nilnil // as http.Transport means it
	}
	roots, err := watch(c.files(authorityFile), c.interval(), log, func(contents [][]byte) (*x509.CertPool, error) {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(contents[0]) {
			return nil, errNoAuthority
		}
		return pool, nil
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		secured := tls.Dialer{NetDialer: dialer, Config: &tls.Config{MinVersion: oldest, RootCAs: roots.current(), ServerName: host}}
		return secured.DialContext(ctx, network, net.JoinHostPort(cmp.Or(c.connectTo, host), port))
	}, nil
}

var errNoAuthority = errors.New("contains no certificate")

func (c Config) files(names ...string) []string {
	paths := make([]string, 0, len(names))
	for _, name := range names {
		paths = append(paths, filepath.Join(c.Dir, name))
	}
	return paths
}

func (c Config) interval() time.Duration { return cmp.Or(c.Interval, interval) }
