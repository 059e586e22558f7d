package certificate_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/certificate/certificatetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const host = "127.0.0.1"

// always makes the files be read for each connection.
const always = time.Nanosecond

var silent = slog.New(slog.DiscardHandler)

type fixture struct {
	dir    string
	server *httptest.Server
}

func serve(t *testing.T, ca *certificatetest.Authority, log *slog.Logger) *fixture {
	t.Helper()
	f := &fixture{dir: t.TempDir()}
	ca.Write(t, f.dir, host)
	config, err := certificate.Config{Dir: f.dir, Interval: always}.Server(log)
	require.NoError(t, err)
	f.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = io.WriteString(w, "hello")
	}))
	f.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug) // clients of these tests abort handshakes
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", host+":0")
	require.NoError(t, err)
	require.NoError(t, f.server.Listener.Close())
	f.server.Listener = tls.NewListener(port, config)
	f.server.Start()
	t.Cleanup(f.server.Close)
	return f
}

func dialing(t *testing.T, dir string) certificate.Dial {
	t.Helper()
	dial, err := certificate.Config{Dir: dir, Interval: always}.Dialer(&net.Dialer{Timeout: time.Minute}, silent)
	require.NoError(t, err)
	return dial
}

// shown opens a new connection and returns the serial number of the server's certificate.
func (f *fixture) shown(t *testing.T, dial certificate.Dial) (*big.Int, error) {
	t.Helper()
	connection, err := dial(t.Context(), "tcp", f.server.Listener.Addr().String())
	if err != nil {
		return nil, err
	}
	defer func() { require.NoError(t, connection.Close()) }()
	secured, ok := connection.(*tls.Conn)
	require.True(t, ok)
	require.GreaterOrEqual(t, secured.ConnectionState().Version, uint16(tls.VersionTLS12))
	return secured.ConnectionState().PeerCertificates[0].SerialNumber, nil
}

// A certificate is renewed every few weeks: a service that needed a restart for that would serve an expired one.
func TestServer_renewedCertificate(t *testing.T) {
	t.Parallel()
	ca := certificatetest.NewAuthority(t)
	f := serve(t, ca, silent)
	dial := dialing(t, f.dir)
	before, err := f.shown(t, dial)
	require.NoError(t, err)
	same, err := f.shown(t, dial)
	require.NoError(t, err)
	require.Equal(t, before, same)

	ca.Write(t, f.dir, host)
	after, err := f.shown(t, dial)
	require.NoError(t, err)
	require.NotEqual(t, before, after)
}

// Files are read at most once in an interval, whatever the number of connections.
func TestServer_looksOncePerInterval(t *testing.T) {
	t.Parallel()
	ca, dir := certificatetest.NewAuthority(t), t.TempDir()
	ca.Write(t, dir, host)
	config, err := certificate.Config{Dir: dir, Interval: time.Hour}.Server(silent)
	require.NoError(t, err)
	before, err := config.GetCertificate(nil)
	require.NoError(t, err)
	ca.Write(t, dir, host)
	after, err := config.GetCertificate(nil)
	require.NoError(t, err)
	require.Same(t, before, after)
}

// The key is replaced after the certificate, and the files are read in between: the old pair is used, and the problem is logged
// once.
func TestServer_brokenPairKeepsTheOld(t *testing.T) {
	t.Parallel()
	ca, out := certificatetest.NewAuthority(t), &bytes.Buffer{}
	dir := t.TempDir()
	ca.Write(t, dir, host)
	config, err := certificate.Config{Dir: dir, Interval: always}.Server(slog.New(slog.NewTextHandler(out, nil)))
	require.NoError(t, err)
	before, err := config.GetCertificate(nil)
	require.NoError(t, err)

	renewed, key := ca.Issue(t, host)
	certificatetest.Replace(t, filepath.Join(dir, "tls.crt"), renewed)
	for range 3 {
		kept, err := config.GetCertificate(nil)
		require.NoError(t, err)
		require.Same(t, before, kept)
	}
	require.Equal(t, 1, strings.Count(out.String(), "level=WARN"), out.String())
	require.Contains(t, out.String(), "tls.crt")

	certificatetest.Replace(t, filepath.Join(dir, "tls.key"), key)
	after, err := config.GetCertificate(nil)
	require.NoError(t, err)
	require.NotSame(t, before, after)
}

// A new authority is first trusted beside the old one, then alone; clients that use the file need no restart for either step.
func TestDialer_renewedAuthority(t *testing.T) {
	t.Parallel()
	old, renewed := certificatetest.NewAuthority(t), certificatetest.NewAuthority(t)
	f, trusts := serve(t, old, silent), t.TempDir()
	authorities := filepath.Join(trusts, "ca.crt") // a client needs no other file
	certificatetest.Replace(t, authorities, old.PEM)
	dial := dialing(t, trusts)
	_, err := f.shown(t, dial)
	require.NoError(t, err)

	renewed.Write(t, f.dir, host)
	_, err = f.shown(t, dial)
	require.ErrorAs(t, err, new(x509.UnknownAuthorityError))
	certificatetest.Replace(t, authorities, append(bytes.Clone(old.PEM), renewed.PEM...))
	_, err = f.shown(t, dial)
	require.NoError(t, err)

	certificatetest.Replace(t, authorities, []byte("nothing"))
	_, err = f.shown(t, dial)
	require.NoError(t, err, "an invalid file keeps the previous authorities")
	certificatetest.Replace(t, authorities, old.PEM)
	_, err = f.shown(t, dial)
	require.ErrorAs(t, err, new(x509.UnknownAuthorityError), "a removed authority is no longer trusted")
}

// An attacker in the network has a certificate too: of another authority, or for another host.
func TestDialer_refuses(t *testing.T) {
	t.Parallel()
	ca := certificatetest.NewAuthority(t)
	f := serve(t, ca, silent)

	stranger := t.TempDir()
	certificatetest.NewAuthority(t).Write(t, stranger, host)
	_, err := f.shown(t, dialing(t, stranger))
	require.ErrorAs(t, err, new(x509.UnknownAuthorityError))

	dial := dialing(t, f.dir)
	ca.Write(t, f.dir, "elsewhere.example")
	_, err = f.shown(t, dial)
	require.ErrorAs(t, err, new(x509.HostnameError))
}

// A forwarded port is reached at an address other than the one in the certificate; the name is checked nevertheless.
func TestClient_connectTo(t *testing.T) {
	t.Parallel()
	f := serve(t, certificatetest.NewAuthority(t), silent)
	ca := certificatetest.NewAuthority(t)
	ca.Write(t, f.dir, "gateway.example")
	client := certificate.Client{Config: certificate.Config{Dir: f.dir, Interval: always}, ConnectTo: host}
	dial, err := client.Dialer(&net.Dialer{Timeout: time.Minute}, silent)
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(f.server.Listener.Addr().String())
	require.NoError(t, err)

	connection, err := dial(t.Context(), "tcp", net.JoinHostPort("gateway.example", port))
	require.NoError(t, err)
	require.NoError(t, connection.Close())
	for _, other := range []string{"orders.example", host} {
		_, err = dial(t.Context(), "tcp", net.JoinHostPort(other, port))
		require.ErrorAs(t, err, new(x509.HostnameError), other)
	}
	_, err = dial(t.Context(), "tcp", "gateway.example")
	require.ErrorContains(t, err, "missing port")
}

// Invalid files stop the start, and the error names the file.
func TestStart_unusableFiles(t *testing.T) {
	t.Parallel()
	server := func(c certificate.Config) error { _, err := c.Server(silent); return err }
	client := func(c certificate.Config) error { _, err := c.Dialer(&net.Dialer{}, silent); return err }
	for name, start := range map[string]func(certificate.Config) error{"tls.crt": server, "tls.key": server, "ca.crt": client} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			certificatetest.NewAuthority(t).Write(t, dir, host)
			config, path := certificate.Config{Dir: dir}, filepath.Join(dir, name)
			require.NoError(t, start(config))
			certificatetest.Replace(t, path, []byte("nothing"))
			require.ErrorContains(t, start(config), path)
			require.NoError(t, os.Remove(path))
			require.ErrorContains(t, start(config), path)
		})
	}
}

// Without a directory neither servers nor clients use TLS.
func TestConfig_noDirectoryMeansNoTLS(t *testing.T) {
	t.Parallel()
	config, err := certificate.Config{}.Server(silent)
	require.NoError(t, err)
	require.Nil(t, config)
	dial, err := certificate.Config{}.Dialer(&net.Dialer{}, silent)
	require.NoError(t, err)
	require.Nil(t, dial)
}
