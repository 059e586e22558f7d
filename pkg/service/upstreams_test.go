package service

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

type calls struct {
	Config         `embed:""`
	UpstreamConfig `embed:""`
}

func loadCalls(t *testing.T, environment map[string]string) (calls, outcome) {
	t.Helper()
	var loaded calls
	cli := &struct {
		Serve Command[calls] `cmd:""`
	}{NewCommand(func(_ context.Context, c calls) error { loaded = c; return nil })}
	result := runProgram(t, cli, "serve", environment, nil)
	return loaded, result
}

// One setting defines all services that are called, and one all ports.
func TestUpstreams_environment(t *testing.T) {
	t.Parallel()
	got, o := loadCalls(t, map[string]string{
		"UPSTREAMS": "orders=http://orders:8080, qna=https://qna", "LISTEN": "ops=127.0.0.1:3,public=:1,rpc=:2",
	})
	require.Equal(t, outcome{}, o)
	require.Equal(t, Upstreams{"orders": "http://orders:8080", "qna": "https://qna"}, got.Upstreams)
	addresses, err := got.Addresses()
	require.NoError(t, err)
	require.Equal(t, "orders:8080", addresses["orders"].Host)
	require.Equal(t, Listen{Public: ":1", RPC: ":2", Ops: "127.0.0.1:3"}, got.Listen)
	got, o = loadCalls(t, nil)
	require.Equal(t, outcome{}, o)
	require.Empty(t, got.Upstreams)
	require.Equal(t, "public=:8080,rpc=:8081,ops=:9090", got.Listen.String())
}

// An invalid setting stops the start. Its value is not quoted, because it may contain a
// password.
func TestUpstreams_mistakes(t *testing.T) {
	t.Parallel()
	for variable, texts := range map[string][]string{
		"UPSTREAMS": {
			"http://canary", "ordres=http://canary", "orders=", "orders=http://o,", "orders=http://o,orders=http://canary",
			"orders=canary:8080", "orders=ftp://canary", "orders=http://u:canary@o", "orders=http://o/canary",
			"orders=http://o?canary", "orders=://canary",
		},
		"LISTEN": {
			":8080", "public=:1,rpc=:2", "public=:1,rpc=:2,canary=:3", "public=:1,rpc=:2,ops=:3,ops=:4",
			"public=:1,rpc=:2,profiles=:3", "public=:1,rpc=:2,ops=:3,profiles=",
		},
	} {
		for _, text := range texts {
			_, o := loadCalls(t, map[string]string{variable: text})
			require.Equal(t, 2, o.code, text)
			require.Contains(t, o.err, variable, text)
			require.NotContains(t, o.err, "canary", text)
		}
	}
}
