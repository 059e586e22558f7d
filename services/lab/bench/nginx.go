package bench

import (
	"bufio"
	"context"
	_ "embed" // the configuration
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/wire"
)

//go:embed nginx.conf.tmpl
var nginxText string

// nginxTemplate is the configuration of nginx. Its function lua writes any bytes as a string of Lua.
var nginxTemplate = template.Must(template.New("nginx.conf").Funcs(template.FuncMap{"lua": luaString}).Parse(nginxText))

// luaString escapes every byte but letters and digits, by its number.
func luaString(text string) string {
	var quoted strings.Builder
	quoted.WriteByte('"')
	for _, b := range []byte(text) {
		if b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' {
			quoted.WriteByte(b)
		} else {
			_, _ = fmt.Fprintf(&quoted, `\%03d`, b)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

type nginxFiles struct {
	program string
	// modules, lua and libraries are folders; there need not be any libraries besides those of the system.
	modules, lua string
	libraries    []string
}

// findNginx looks for nginx, its Lua module and the Redis client for it below the roots; it returns false if there is no root
// that has all of them.
func findNginx(roots []string) (nginxFiles, bool) {
	for _, root := range roots {
		root, err := filepath.Abs(root) // nginx runs in a folder of its own
		if err != nil {
			continue
		}
		programs := []string{filepath.Join(root, "usr/sbin"), filepath.Join(root, "usr/local/sbin"), filepath.Join(root, "usr/bin")}
		if root == "/" {
			programs = append(filepath.SplitList(os.Getenv("PATH")), programs...)
		}
		program := firstMatch(programs, "nginx")
		module := firstMatch([]string{root}, "usr/lib*/nginx/modules/ngx_http_lua_module.so")
		client := firstMatch([]string{filepath.Join(root, "usr/share/lua/5.1"), filepath.Join(root, "usr/local/share/lua/5.1")},
			"*/redis.lua")
		if program == "" || module == "" || client == "" {
			continue
		}
		found := nginxFiles{program: program, modules: filepath.Dir(module), lua: filepath.Dir(filepath.Dir(client))}
		if root != "/" {
			for _, pattern := range []string{"usr/lib/*-linux-gnu*", "lib/*-linux-gnu*"} {
				folders, _ := filepath.Glob(filepath.Join(root, pattern)) // the pattern is valid
				found.libraries = append(found.libraries, folders...)
			}
		}
		return found, true
	}
	return nginxFiles{}, false
}

// firstMatch returns the first path that matches the pattern below one of the folders, or "".
func firstMatch(folders []string, pattern string) string {
	for _, folder := range folders {
		if matches, err := filepath.Glob(filepath.Join(folder, pattern)); err == nil && len(matches) > 0 {
			return matches[0]
		}
	}
	return ""
}

type nginxSettings struct {
	// User is the user of the workers, "" if nginx is not started by root.
	User string
	// Dir, Modules and Lua are folders.
	Dir, Modules, Lua string
	Port              int
	// Service is the address of the service behind nginx.
	Service string
	// Redis.
	RedisHost, RedisPort, RedisPassword string
	// Commands are the gateway's commands to Redis for a read, by API key.
	Commands map[string]command
}

// command is the gateway's EVALSHA for a call, without its name.
type command []string

// The positions of what is in a command: the keys that it names, and what differs from call to call.
const statePlace, windowPlace = 2, 3

// charge begins the arguments of a call, of which the second is its nonce.
const charge = "charge"

// Before and After return what is sent before and after the nonce.
func (c command) Before() []string { return c[:slices.Index(c, charge)+1] }

// After returns what is sent after the nonce: the rows, no time after which nobody waits for the answer, and the state of the
// key.
func (c command) After() []string {
	after := slices.Clone(c[slices.Index(c, charge)+2:])
	after[1] = "0"
	return after
}

var errNotSeen = errors.New("the gateway's command to Redis was not seen")

// parseCommand returns the EVALSHA of one call from a line of MONITOR.
func parseCommand(line string) (command, bool) {
	_, rest, found := strings.Cut(line, `] `)
	var words []string
	for found && rest != "" {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, false
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, false
		}
		words, rest = append(words, word), strings.TrimPrefix(rest[len(quoted):], " ")
	}
	if len(words) < 2 || !strings.EqualFold(words[0], "evalsha") {
		return nil, false
	}
	c := command(words[1:])
	return c, slices.Contains(c, charge) && c[1] == "2" && c[4] == "1" // two keys, one call
}

// commands returns the gateway's commands for a read, by API key, as Redis received them.
func (p *proxied) commands(ctx context.Context, redis *goredis.Options) (map[string]command, error) {
	conn, err := wire.Dial(ctx, redis.Addr)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintf(conn, "AUTH %q\r\nMONITOR\r\n", redis.Password); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(conn)
	for range 2 { // the answers
		if !lines.Scan() || lines.Text() != "+OK" {
			return nil, fmt.Errorf("%w: %s", errNotSeen, lines.Text())
		}
	}
	all := map[string]command{}
	for _, key := range p.keys {
		request := fullPage.request
		request.Key = key
		if err := wire.Expect(ctx, p.gateway.env.GatewayURL, request.Bytes(), http.StatusOK); err != nil {
			return nil, err
		}
		for all[key] == nil {
			if !lines.Scan() {
				return nil, errors.Join(errNotSeen, lines.Err())
			}
			if c, is := parseCommand(lines.Text()); is {
				all[key] = c
			}
		}
	}
	return all, nil
}

// longRun is how long Redis keeps what nginx needs; the gateway writes it again each minute.
const longRun = time.Hour

// compareNginx measures reads through the gateway and through nginx, which sends the gateway's own commands to the same Redis: it
// counts calls in the same windows, by the same script.
func (p *proxied) compareNginx(ctx context.Context) (err error) {
	files, found := findNginx(p.b.Roots)
	if !found {
		return p.b.report.Say("", "nginx with its Lua module is not installed: not compared")
	}
	options, err := goredis.ParseURL(p.gateway.redisURL)
	if err != nil {
		return err
	}
	client := goredis.NewClient(options)
	defer func() { err = errors.Join(err, client.Close()) }()
	commands, err := p.commands(ctx, options)
	if err != nil {
		return err
	}
	server, err := p.startNginx(ctx, files, commands)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := wire.Expect(ctx, server.URL, wire.Get("/open/v1/orders", "unknown"), http.StatusUnauthorized); err != nil {
		return err
	}
	gateway := p.side("gateway", fullPage, p.gateway.env.GatewayURL, 0)
	nginx := p.side("nginx", fullPage, server.URL, server.PID())
	loop := nginx.run
	nginx.run = func(ctx context.Context) (sample, error) {
		for _, c := range commands {
			if err := client.Expire(ctx, c[statePlace], longRun).Err(); err != nil {
				return sample{}, err
			}
		}
		measured, err := loop(ctx)
		return measured, errors.Join(err, counted(ctx, client, commands))
	}
	if err := p.b.turns(ctx, []*side{gateway, nginx}); err != nil {
		return err
	}
	p.b.report.Add(report.Bar{Name: fullPage.name + ", throughput of nginx with our script", Unit: "x", AtLeast: 0.75}.
		Compare(gateway.ratio(perSecond, nginx, perSecond)))
	return p.b.report.Table("the gateway and nginx: nginx signs no calls, keeps no metrics and sends no headers about windows; the "+
		"gateway's calls share commands to Redis", cellNames, [][]string{gateway.cells(), nginx.cells()})
}

var errNotCounted = errors.New("nginx has counted no call in Redis")

// counted returns errNotCounted unless there is a window.
func counted(ctx context.Context, client *goredis.Client, commands map[string]command) error {
	for _, c := range commands {
		if n, err := client.Exists(ctx, c[windowPlace]).Result(); err != nil || n > 0 {
			return err
		}
	}
	return errNotCounted
}

func (p *proxied) startNginx(ctx context.Context, files nginxFiles, commands map[string]command) (*launch.Server, error) {
	var options launch.Options
	if len(files.libraries) > 0 {
		options.Env = []string{"LD_LIBRARY_PATH=" + strings.Join(files.libraries, ":")}
	}
	return launch.Other(ctx, filepath.Join(p.b.Dir, "nginx"), launch.Program{
		Name: "nginx", PortTaken: "Address already in use",
		Command: func(dir string, port int) ([]string, error) {
			settings, err := p.nginxSettings(files, commands, dir, port)
			if err != nil {
				return nil, err
			}
			path := filepath.Join(dir, "nginx.conf")
			var text strings.Builder
			if err := nginxTemplate.Execute(&text, settings); err != nil {
				return nil, err
			}
			// It holds the password of Redis.
			return []string{files.program, "-e", "stderr", "-p", dir, "-c", path}, os.WriteFile(path, []byte(text.String()), 0o600)
		},
	}, options)
}

func (p *proxied) nginxSettings(files nginxFiles, commands map[string]command, dir string, port int) (nginxSettings, error) {
	address, err := url.Parse(p.b.ground.redis.URL)
	if err != nil {
		return nginxSettings{}, err
	}
	password, _ := address.User.Password()
	set := nginxSettings{
		Dir: dir, Modules: files.modules, Lua: files.lua, Port: port, Service: p.serviceAt,
		RedisHost: address.Hostname(), RedisPort: address.Port(), RedisPassword: password, Commands: commands,
	}
	if os.Geteuid() == 0 {
		set.User = "root"
	}
	return set, nil
}
