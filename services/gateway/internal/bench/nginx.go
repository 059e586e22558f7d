package bench

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the digest that nginx has for Lua; it only names the key of a measurement
	_ "embed"     // the configuration
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
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
		client := firstMatch([]string{
			filepath.Join(root, "usr/share/lua/5.1"),
			filepath.Join(root, "usr/local/share/lua/5.1"),
		}, "*/redis.lua")
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
	// Digest, Before and After are of the gateway's command; State and Window are the formats of the names of its keys, with %s
	// twice for the name of the caller.
	Digest, State, Window string
	Before, After         []any
	// Pepper is the key of the digest that names a caller.
	Pepper string
}

func (b *bench) nginxSettings(files nginxFiles, command admission.Command, dir string, port int) (nginxSettings, error) {
	address, err := url.Parse(b.redis.URL)
	if err != nil {
		return nginxSettings{}, err
	}
	password, _ := address.User.Password()
	set := nginxSettings{
		Dir: dir, Modules: files.modules, Lua: files.lua, Port: port, Service: b.inner.Address,
		RedisHost: address.Hostname(), RedisPort: address.Port(), RedisPassword: password,
		Digest: command.Digest, State: named(command.State), Window: named(command.Window), Before: command.Before,
		After:  command.After,
		Pepper: pepper,
	}
	if os.Geteuid() == 0 {
		set.User = "root"
	}
	return set, nil
}

// pepper makes the digests of keys useless for others, as the gateway's does.
const pepper = "bench"

// nginxCaller returns the key under which nginx counts the calls of a key: seller and key have the same id.
func nginxCaller(key string) apikey.Key {
	digest := hmac.New(sha1.New, []byte(pepper))
	digest.Write([]byte(key))
	id := uuid.UUID(digest.Sum(nil)[:len(uuid.UUID{})])
	return apikey.Key{SellerID: id, ID: id, Version: 1}
}

// anyone stands for the caller in the names of a command's keys.
var anyone = nginxCaller("")

// named returns the format of a name that belongs to anyone.
func named(name string) string {
	return strings.ReplaceAll(name, base64.RawURLEncoding.EncodeToString(anyone.SellerID[:]), "%s")
}

// nginxCall is the read of a key as nginx charges it.
func nginxCall(key apikey.Key) admission.Call {
	return admission.Call{Key: key, Class: operation.Read, Reserve: pageLimit}
}

// startNginx starts nginx on a free port, with every key of this run known to Redis. It returns the names of the windows that
// nginx writes, one for each key. errNotInstalled: there is no nginx.
func startNginx(ctx context.Context, b *bench) (*launch.Server, []string, error) {
	files, found := findNginx(b.Roots)
	if !found {
		return nil, nil, errNotInstalled
	}
	admitter := admission.New(b.client, wideLimits, idempotency.Config{})
	windows, err := b.register(ctx, admitter)
	if err != nil {
		return nil, nil, err
	}
	command := admitter.Command(nginxCall(anyone))
	var options launch.Options
	if len(files.libraries) > 0 {
		options.Env = []string{"LD_LIBRARY_PATH=" + strings.Join(files.libraries, ":")}
	}
	server, err := launch.Other(ctx, filepath.Join(b.dir, "nginx"), launch.Program{
		Name: "nginx", PortTaken: "Address already in use",
		Command: func(dir string, port int) ([]string, error) {
			settings, err := b.nginxSettings(files, command, dir, port)
			if err != nil {
				return nil, err
			}
			path := filepath.Join(dir, "nginx.conf")
			return []string{files.program, "-e", "stderr", "-p", dir, "-c", path}, writeTemplate(path, nginxTemplate, settings)
		},
	}, options)
	if err != nil {
		return nil, nil, err
	}
	if err := checkRefusals(ctx, admitter, server.URL); err != nil {
		return nil, nil, errors.Join(err, server.Stop())
	}
	return server, windows, nil
}

var errNotRefused = errors.New("nginx refuses other calls than the gateway")

// checkRefusals returns errNotRefused unless nginx refuses an unknown key, and a key whose window the gateway has filled.
func checkRefusals(ctx context.Context, admitter *admission.Admitter, address string) error {
	const unknown, full = "unknown", "full"
	call := nginxCall(nginxCaller(full))
	if err := admitter.PutKey(ctx, call.Key, time.Time{}); err != nil {
		return err
	}
	for verdict := admission.Admitted; verdict == admission.Admitted; {
		decision, err := admitter.Charge(ctx, call)
		if err != nil {
			return err
		}
		verdict = decision.Verdict
	}
	for key, want := range map[string]int{unknown: http.StatusUnauthorized, full: http.StatusTooManyRequests} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+fullPage.target, http.NoBody)
		if err != nil {
			return err
		}
		request.Header.Set("X-Api-Key", key)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			return fmt.Errorf("%w: %d instead of %d", errNotRefused, response.StatusCode, want)
		}
	}
	return nil
}

// register writes the state of every key, which the script requires; the gateway does so itself, and again each minute. It
// returns the names of the keys' windows.
func (b *bench) register(ctx context.Context, admitter *admission.Admitter) ([]string, error) {
	windows := make([]string, len(b.ready.Keys))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(b.Connections)
	for i, key := range b.ready.Keys {
		group.Go(func() error {
			call := nginxCall(nginxCaller(key))
			command := admitter.Command(call)
			windows[i] = command.Window
			if err := admitter.PutKey(ctx, call.Key, time.Time{}); err != nil {
				return err
			}
			return b.client.Expire(ctx, command.State, longRun).Err()
		})
	}
	return windows, group.Wait()
}
