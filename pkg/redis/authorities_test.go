package redis_test

import (
	"crypto/x509"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/certificate/certificatetest"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// The authority of Redis' certificate is renewed while services run: a new connection is verified with what is in the folder by
// then.
func TestOpen_renewedAuthority(t *testing.T) {
	t.Parallel()
	server, old, renewed := redistest.New(t), certificatetest.NewAuthority(t), certificatetest.NewAuthority(t)
	folder := t.TempDir()
	certificatetest.Replace(t, filepath.Join(folder, "0.crt"), old.PEM)
	address, err := url.Parse(server.Config.URL.Reveal())
	require.NoError(t, err)
	proxy := certificatetest.NewProxy(t, old, address.Host, nil)
	address.Scheme, address.Host = "rediss", proxy.Address
	server.Config.URL = secret.New(address.String())
	server.Config.Authorities = certificate.NewAuthorities([]string{folder}, time.Nanosecond, telemetrytest.Discard(t).Logger)

	client, ok := server.Open(t, telemetrytest.Discard(t)).(*goredis.Client)
	require.True(t, ok)
	connects := func() error { // connections are kept, so that the next one is new
		conn := client.Conn()
		t.Cleanup(func() { _ = conn.Close() })
		return conn.Ping(t.Context()).Err()
	}
	require.NoError(t, connects())
	proxy.Renew(t, renewed)
	require.ErrorAs(t, connects(), new(x509.UnknownAuthorityError))
	certificatetest.Replace(t, filepath.Join(folder, "0.crt"), renewed.PEM)
	require.NoError(t, connects())
}
