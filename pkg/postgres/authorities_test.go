package postgres_test

import (
	"io"
	"net"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/certificate/certificatetest"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// always makes the files be read for each connection.
const always = time.Nanosecond

// acceptTLS answers the SSLRequest of a client of PostgreSQL.
func acceptTLS(client net.Conn) error {
	request := make([]byte, 8)
	if _, err := io.ReadFull(client, request); err != nil {
		return err
	}
	_, err := client.Write([]byte("S"))
	return err
}

// CloudNativePG renews its authority a week before it ends, and the database then has a certificate of the renewed one. A pool
// that was opened before verifies it with what is in the folder by then, however much the connection string asks for.
func TestOpen_renewedAuthority(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, query string
		refuses     bool // a server with a certificate of an unknown authority
	}{
		{"verify-full", "sslmode=verify-full", true},
		{"verify-ca", "sslmode=verify-ca", true},
		{"a file", "sslmode=verify-full&sslrootcert=", true},
		{"require", "sslmode=require", false},
		{"prefer", "sslmode=prefer", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			db, old, renewed := pgtest.New(t, nil), certificatetest.NewAuthority(t), certificatetest.NewAuthority(t)
			folder := t.TempDir()
			file := filepath.Join(folder, "0.crt")
			certificatetest.Replace(t, file, old.PEM)
			plain, err := pgx.ParseConfig(db.Config.URL.Reveal())
			require.NoError(t, err)
			proxy := certificatetest.NewProxy(t, old, net.JoinHostPort(plain.Host, strconv.Itoa(int(plain.Port))), acceptTLS)
			query, paths := c.query, []string{folder}
			if c.name == "a file" {
				query, paths = query+file, nil
			}
			db.Config.URL = secret.New("postgres://" + plain.User + ":" + plain.Password + "@" + proxy.Address + "/" +
				plain.Database + "?" + query)
			db.Config.Authorities = certificate.NewAuthorities(paths, always, telemetrytest.Discard(t).Logger)

			pool := db.Open(t, telemetrytest.Discard(t))
			connects := func() error {
				pool.Reset() // the next statement has a new connection
				return pool.Ping(t.Context())
			}
			require.NoError(t, connects())
			proxy.Renew(t, renewed)
			err = connects()
			require.Equal(t, c.refuses, err != nil, "%v", err)
			certificatetest.Replace(t, file, renewed.PEM)
			require.NoError(t, connects())
		})
	}
}

// A host that the certificate does not name is refused as before.
func TestOpen_certificateOfAnotherHost(t *testing.T) {
	t.Parallel()
	db, authority := pgtest.New(t, nil), certificatetest.NewAuthority(t)
	plain, err := pgx.ParseConfig(db.Config.URL.Reveal())
	require.NoError(t, err)
	proxy := certificatetest.NewProxy(t, authority, net.JoinHostPort(plain.Host, strconv.Itoa(int(plain.Port))), acceptTLS)
	_, port, err := net.SplitHostPort(proxy.Address)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "ca.crt")
	certificatetest.Replace(t, file, authority.PEM)
	db.Config.Authorities = certificate.NewAuthorities([]string{file}, always, telemetrytest.Discard(t).Logger)
	for mode, refused := range map[string]bool{"verify-full": true, "verify-ca": false} {
		db.Config.URL = secret.New("postgres://" + plain.User + ":" + plain.Password + "@localhost:" + port + "/" +
			plain.Database + "?sslmode=" + mode)
		err := db.Open(t, telemetrytest.Discard(t)).Ping(t.Context())
		require.Equal(t, refused, err != nil, "%s: %v", mode, err)
	}
}
