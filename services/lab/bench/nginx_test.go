package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
)

// monitored is a line of MONITOR for a read of one key.
const monitored = `1764280000.123456 [0 127.0.0.1:5000] "evalsha" "d1gest" "2" "{s}:k:\x01" "{s}:r:\x01" "1" "60" "1000" "charge" ` +
	`"\x00\"\n" "50" "1764280001000000" "1"`

// A command of the gateway is read byte by byte, and divided where the nonce stands.
func TestParseCommand(t *testing.T) {
	t.Parallel()
	c, is := parseCommand(monitored)
	require.True(t, is)
	require.Equal(t, "{s}:k:\x01", c[statePlace])
	require.Equal(t, "{s}:r:\x01", c[windowPlace])
	require.Equal(t, []string{"d1gest", "2", "{s}:k:\x01", "{s}:r:\x01", "1", "60", "1000", "charge"}, c.Before())
	require.Equal(t, []string{"50", "0", "1"}, c.After())
	for _, other := range []string{
		"OK", `1.2 [0 lua] "get" "x"`, strings.Replace(monitored, `"2"`, `"4"`, 1), strings.Replace(monitored, "charge", "settle", 1),
	} {
		_, is := parseCommand(other)
		require.False(t, is, other)
	}
}

// The configuration of nginx names its folders, the service and Redis, and passes the gateway's command on byte for byte.
func TestNginxConfiguration(t *testing.T) {
	t.Parallel()
	c, _ := parseCommand(monitored)
	p := &proxied{serviceAt: "127.0.0.1:9000", b: &benchmark{ground: &ground{
		redis: &launch.Server{URL: "redis://:pa%22ss@127.0.0.1:6380/0"},
	}}}
	settings, err := p.nginxSettings(nginxFiles{modules: "/m", lua: "/l"}, map[string]command{"key": c}, "/d", 8080)
	require.NoError(t, err)
	settings.User = "root"
	var text strings.Builder
	require.NoError(t, nginxTemplate.Execute(&text, settings))
	for _, line := range []string{
		"user root;\n", "load_module /m/ngx_http_lua_module.so;\n", "lua_package_path '/l/?.lua;;';\n", "pid /d/nginx.pid;\n",
		"listen 127.0.0.1:8080 reuseport;\n", "server 127.0.0.1:9000;\n", `connection:connect("127\0460\0460\0461", 6380)`,
		`connection:auth("pa\034ss")`, `["key"] = { { "d1gest", "2", "\123s\125\058k\058\001", `, `"charge", }, { "50", "0", "1", } },`,
	} {
		require.Contains(t, text.String(), line)
	}
	settings.User = ""
	text.Reset()
	require.NoError(t, nginxTemplate.Execute(&text, settings))
	require.NotContains(t, text.String(), "\nuser ")
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
