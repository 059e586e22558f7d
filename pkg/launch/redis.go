package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var redisKind = &kind{
	name:          "Redis",
	prepare:       prepareNothing,
	command:       redisCommand,
	url:           redisURL,
	probe:         probeRedis,
	portTaken:     "Address already in use",
	onParentDeath: syscall.SIGTERM,
	stop:          []step{{syscall.SIGTERM, 15 * time.Second}, {syscall.SIGKILL, time.Minute}},
}

// prepareNothing is the preparation of a server that creates its files itself.
func prepareNothing(context.Context, *home, Options) error { return nil }

// Redis starts Redis on the data below dir and returns when it answers, that
// is, when it has loaded its saved data. It never evicts keys: the stack's
// limits and locks are not a cache. The context bounds the start only.
func Redis(ctx context.Context, dir string, options Options) (*Server, error) {
	user, err := serverAccount("redis", "nobody")
	if err != nil {
		return nil, err
	}
	return redisKind.start(ctx, dir, user, options)
}

// redisCommand writes the configuration, which is a file because it holds the
// password, and builds the command line.
func redisCommand(h *home, port int, options Options) ([]string, error) {
	program, err := system().redis()
	if err != nil {
		return nil, err
	}
	settings := map[string]string{
		"bind":             loopback,
		"port":             strconv.Itoa(port),
		"protected-mode":   "yes",
		"requirepass":      h.password,
		"dir":              h.dir,
		"save":             `""`,
		"appendonly":       "no",
		"maxmemory-policy": "noeviction",
		"databases":        "64",
	}
	if options.Durable {
		settings["appendonly"], settings["appendfsync"] = "yes", "everysec"
	}
	for name, value := range options.Settings {
		settings[name] = value
	}
	lines := make([]string, 0, len(settings))
	for name, value := range settings {
		lines = append(lines, name+" "+value+"\n")
	}
	sort.Strings(lines)
	if err := h.write("redis.conf", strings.Join(lines, "")); err != nil {
		return nil, err
	}
	return []string{program, h.path("redis.conf")}, nil
}

func redisURL(h *home, port int) string {
	u := url.URL{Scheme: "redis", User: url.UserPassword("", h.password), Host: address(port), Path: "/0"}
	return u.String()
}

// probeRedis logs in and expects a PONG, which a server that is still loading
// refuses. Two lines of protocol avoid a client library, which would log and
// retry on its own.
func probeRedis(ctx context.Context, server string) error {
	return converse(ctx, server, "PING", "+PONG")
}

// converse logs in, sends a command and compares the first line of the reply
// with the wanted one.
func converse(ctx context.Context, server, command, wanted string) error {
	u, err := url.Parse(server)
	if err != nil {
		return err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	password, _ := u.User.Password()
	if _, err := fmt.Fprintf(conn, "AUTH %s\r\n%s\r\n", password, command); err != nil {
		return err
	}
	answers := bufio.NewReader(conn)
	for _, want := range []string{"+OK", wanted} {
		line, err := answers.ReadString('\n')
		if err != nil {
			return err
		}
		if line = strings.TrimSpace(line); line != want {
			return errors.New(line)
		}
	}
	return nil
}
