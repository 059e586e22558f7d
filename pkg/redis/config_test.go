package redis

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
)

// A configuration made in code has the defaults of the command line.
func TestOptions_defaults(t *testing.T) {
	t.Parallel()
	o, err := Config{URL: secret.New("redis://h")}.options("test")
	require.NoError(t, err)
	require.Equal(t, 64, o.PoolSize)
	require.Equal(t, [4]time.Duration{timeout, timeout, timeout, timeout},
		[4]time.Duration{o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout})
}

// The URL defines the servers, the login, the database and whether to use TLS.
func TestOptions_serversLoginAndDatabase(t *testing.T) {
	t.Parallel()
	type facts struct {
		Addrs              []string
		Username, Password string
		DB                 int
		TLS                bool
	}
	for text, want := range map[string]facts{
		"redis://h":                      {Addrs: []string{"h:6379"}},
		"redis://:p%40w@h:1/3":           {Addrs: []string{"h:1"}, Password: "p@w", DB: 3},
		"rediss://u:p@h:1":               {Addrs: []string{"h:1"}, Username: "u", Password: "p", TLS: true},
		"redis://u:p@h1:1,h2:2,[::1]:3/": {Addrs: []string{"h1:1", "h2:2", "[::1]:3"}, Username: "u", Password: "p"},
		"rediss://u:p@one.host,other.host:2": {
			Addrs: []string{"one.host:6379", "other.host:2"}, Username: "u",
			Password: "p", TLS: true,
		},
	} {
		o, err := Config{URL: secret.New(text)}.options("test")
		require.NoError(t, err, text)
		require.Equal(t, want, facts{o.Addrs, o.Username, o.Password, o.DB, o.TLSConfig != nil}, text)
		if o.TLSConfig != nil {
			require.Empty(t, o.TLSConfig.ServerName, "each host is verified under its own name")
		}
	}
}

// The error about an invalid URL does not show its password.
func TestOptions_unreadableURLHidesPassword(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "h:1", "http://h", "redis://:hunter2@h:port", "redis://:hunter2@h,,g", "redis://:hunter2@h/x",
		"redis://:hunter2@h/1/2", "redis://:hunter2@h?pool_size=1", "redis://:hunter2%zz@h",
		"redis://h?cluster=true&master_name=m", "redis://h?sentinel_password=hunter2", "redis://h?sentinel_password=hunter2%zz",
		"redis://h/1#hunter2",
	} {
		_, err := Config{URL: secret.New(text)}.options("test")
		require.ErrorIs(t, err, errURL, text)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

// The URL selects a single server, a cluster or sentinels; a cluster has no numbered database.
func TestOptions_kindOfServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config Config
		want   redis.UniversalClient
	}{
		{Config{URL: secret.New("redis://h")}, &redis.Client{}},
		{Config{URL: secret.New("redis://h?cluster=true")}, &redis.ClusterClient{}},
		{Config{URL: secret.New("redis://h,g")}, &redis.ClusterClient{}},
		{Config{URL: secret.New("redis://h,g/2?master_name=main")}, &redis.Client{}},
	} {
		o, err := c.config.options("test")
		require.NoError(t, err)
		client := redis.NewUniversalClient(o)
		t.Cleanup(func() { _ = client.Close() })
		require.IsType(t, c.want, client)
	}
	_, err := Config{URL: secret.New("redis://h,g/2")}.options("test")
	require.ErrorContains(t, err, "a Redis cluster has no database 2")
}

// Sentinels may have a password of their own; master and replicas use that of the login.
func TestOptions_sentinels(t *testing.T) {
	t.Parallel()
	o, err := Config{URL: secret.New("redis://:p@h,g/2?master_name=main&sentinel_password=s%26w")}.options("test")
	require.NoError(t, err)
	require.Equal(t, []any{"main", "s&w", "p", 2}, []any{o.MasterName, o.SentinelPassword, o.Password, o.DB})
}
