package bench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// The configuration of nginx names its folders, the service and Redis, and passes the gateway's command on byte for byte.
func TestNginxConfiguration(t *testing.T) {
	t.Parallel()
	b := &bench{redis: &launch.Server{URL: "redis://:pa%22ss@127.0.0.1:6380/0"}, inner: listening{Address: "127.0.0.1:9000"}}
	command := admission.New(nil, wideLimits, idempotency.Config{}).Command(nginxCall(anyone))
	settings, err := b.nginxSettings(nginxFiles{modules: "/m", lua: "/l"}, command, "/d", 8080)
	require.NoError(t, err)
	require.Equal(t, "{%s}:k:%s", settings.State)
	require.Equal(t, "{%s}:r:%s", settings.Window)
	settings.User = "root"
	path := filepath.Join(t.TempDir(), "nginx.conf")
	require.NoError(t, writeTemplate(path, nginxTemplate, settings))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, line := range []string{
		"user root;\n", "load_module /m/ngx_http_lua_module.so;\n", "lua_package_path '/l/?.lua;;';\n", "pid /d/nginx.pid;\n",
		"listen 127.0.0.1:8080 reuseport;\n", "server 127.0.0.1:9000;\n", `connection:connect("127\0460\0460\0461", 6380)`,
		`connection:auth("pa\034ss")`, `evalsha("` + command.Digest + `", 2,`,
		luaString("charge") + ", nonce(), " + luaString(fmt.Sprint(command.After[0])),
	} {
		require.Contains(t, string(text), line)
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it holds the password of Redis")
	settings.User = ""
	require.NoError(t, writeTemplate(path, nginxTemplate, settings))
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(text), "\nuser ")
}

// Zero bytes, quotes and digits after an escaped byte keep their meaning.
func TestLuaString(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"aZ9\0001\034\092\255"`, luaString("aZ9\x001\"\\\xff"))
}

// An nginx is used only with all of its parts. Of several complete ones the first is used.
func TestFindNginx_completeOnly(t *testing.T) {
	t.Parallel()
	parts := []string{"usr/sbin/nginx", "usr/lib/nginx/modules/ngx_http_lua_module.so", "usr/share/lua/5.1/nginx/redis.lua"}
	install := func(root string, parts ...string) {
		for _, part := range parts {
			path := filepath.Join(root, part)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
			require.NoError(t, os.WriteFile(path, nil, 0o600))
		}
	}
	none, whole := t.TempDir(), t.TempDir()
	for i := range parts {
		part := t.TempDir()
		install(part, slices.Concat(parts[:i], parts[i+1:])...)
		_, found := findNginx([]string{none, part})
		require.False(t, found, "without %s", parts[i])
	}
	install(whole, parts...)
	install(whole, "lib/x86_64-linux-gnu/libpcre.so.3")
	files, found := findNginx([]string{none, whole, t.TempDir()})
	require.True(t, found)
	require.Equal(t, nginxFiles{
		program: filepath.Join(whole, parts[0]), modules: filepath.Join(whole, "usr/lib/nginx/modules"),
		lua: filepath.Join(whole, "usr/share/lua/5.1"), libraries: []string{filepath.Join(whole, "lib/x86_64-linux-gnu")},
	}, files)
}

// The table compares the gateway with each peer, round by round.
func TestPrintPeers(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	b := &bench{Options: Options{Out: &out, Connections: 8, Rounds: 3, Time: time.Second}}
	taken := func(rates ...float64) (samples []sample) {
		for _, rate := range rates {
			samples = append(samples, sample{perSecond: rate, cpu: used{process: 100 * time.Microsecond, redis: 30 * time.Microsecond}})
		}
		return samples
	}
	require.NoError(t, b.printPeers([]side{{name: "gateway"}, {name: "other"}},
		[][]sample{taken(3000, 1000, 2000), taken(4000, 2000, 4000)}))
	require.Regexp(t, `gateway +2000 \(1000–3000\) +100µs \(100–100\) +30µs \(30–30\) +1.00 \(1.00–1.00\)`, out.String())
	require.Regexp(t, `other +4000 \(2000–4000\) +100µs \(100–100\) +30µs \(30–30\) +0.50 \(0.50–0.75\)`, out.String())
	require.Len(t, b.report.Peers, 2)
	require.Equal(t, Spread{Median: 0.5, Least: 0.5, Greatest: 0.75}, b.report.Peers[1].GatewayPerSecond)
}
