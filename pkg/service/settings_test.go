package service

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
)

type store struct {
	URL      secret.Text `name:"database-url" env:"DATABASE_URL" required:"" help:"Database."`
	MaxConns int         `name:"max-conns" env:"MAX_CONNS" default:"10"`
}

// Validate returns an error that no single value can show.
func (s store) Validate() error {
	if s.MaxConns > 100 {
		return errors.New("max-conns: more than the database takes")
	}
	return nil
}

type demoConfig struct {
	Config      `embed:""`
	Store       store       `embed:""`
	Keys        secret.Keys `name:"cursor-keys" env:"CURSOR_KEYS" required:""`
	Environment string      `name:"environment" env:"ENVIRONMENT" enum:"live,test" default:"test"`
	OnReady     func()      `kong:"-"`
}

// Validate returns an error about a combination.
func (c demoConfig) Validate() error {
	if c.Environment == "live" && c.DrainWait == 0 {
		return errors.New("drain-wait: not zero in the live environment")
	}
	return nil
}

var goodKey = base64.StdEncoding.EncodeToString([]byte("canary-of-a-signing-key-of-40-bytes....."))

func load(t *testing.T, arguments string, environment, files map[string]string) (demoConfig, outcome) {
	t.Helper()
	var loaded demoConfig
	cli := &struct {
		Serve   Command[demoConfig] `cmd:""`
		Migrate Command[store]      `cmd:""`
	}{
		NewCommand(func(_ context.Context, c demoConfig) error { loaded = c; return nil }),
		NewCommand(func(context.Context, store) error { return nil }),
	}
	result := runProgram(t, cli, arguments, environment, files)
	return loaded, result
}

func TestSettings_precedence(t *testing.T) {
	t.Parallel()
	environment := map[string]string{
		"DATABASE_URL_FILE": "/run/secrets/db", "CURSOR_KEYS": goodKey, "CURSOR_KEYS_FILE": "/not/read",
		"MAX_CONNS": "20", "DRAIN_WAIT": "7s", "ENVIRONMENT": "", "LOG_LEVEL": "WARN",
	}
	got, o := load(t, "serve --max-conns=30", environment, map[string]string{"/run/secrets/db": "postgres://u:p@h/d\n"})
	require.Equal(t, outcome{}, o)
	require.Equal(t, "postgres://u:p@h/d", got.Store.URL.Reveal())
	require.Len(t, got.Keys.Current(), 40)
	require.Equal(t, 30, got.Store.MaxConns)
	require.Equal(t, 7*time.Second, got.DrainWait)
	require.Equal(t, "test", got.Environment, "an empty value counts as unset")
	require.Equal(t, ":8080", got.Listen.Public)
	require.Equal(t, slog.LevelWarn, got.Telemetry.LogLevel)
}

func TestSettings_allProblemsWithoutSecrets(t *testing.T) {
	t.Parallel()
	_, o := load(t, "serve", map[string]string{
		"CURSOR_KEYS": goodKey + ",canary!", "MAX_CONNS": "many", "DRAIN_WAIT": "soon", "ENVIRONMENT": "prod",
		"LISTEN_FILE": "/not/there",
	}, nil)
	require.Equal(t, 2, o.code)
	for _, line := range []string{
		"--database-url (DATABASE_URL): required",
		"--cursor-keys (CURSOR_KEYS): key 2: not base64",
		"--max-conns (MAX_CONNS): expected a valid 64 bit int but got \"many\"",
		"--drain-wait (DRAIN_WAIT): expected duration but got \"soon\"",
		"--environment (ENVIRONMENT): must be one of live,test",
		"--listen (LISTEN): LISTEN_FILE: open /not/there: no such file or directory",
	} {
		require.Contains(t, o.err, "\n  "+line)
	}
	require.Equal(t, 7, strings.Count(o.err, "\n"), o.err)
	require.NotContains(t, o.err, "canary")
	require.NotContains(t, o.err, goodKey)
}

// The errors of all parts of a configuration are reported together.
func TestSettings_partsComplainTogether(t *testing.T) {
	t.Parallel()
	_, o := load(t, "serve", map[string]string{
		"DATABASE_URL": "x", "CURSOR_KEYS": goodKey, "MAX_CONNS": "1000", "ENVIRONMENT": "live", "DRAIN_WAIT": "0s",
	}, nil)
	require.Equal(t, 2, o.code)
	require.Contains(t, o.err, "max-conns: more than the database takes")
	require.Contains(t, o.err, "drain-wait: not zero in the live environment")
}

func TestSettings_badArgumentAndEnvironment(t *testing.T) {
	t.Parallel()
	_, o := load(t, "serve --max-conns=few --nonsense", map[string]string{"DRAIN_WAIT": "soon"}, nil)
	require.Equal(t, 2, o.code)
	require.Contains(t, o.err, "--max-conns")
	require.Contains(t, o.err, "--drain-wait (DRAIN_WAIT)")
	require.NotContains(t, o.err, "required", "what follows a bad argument was not read")
	_, o = load(t, "serve --nonsense", nil, nil)
	require.Contains(t, o.err, "unknown flag --nonsense")
	_, o = load(t, "migrate", nil, nil)
	require.Contains(t, o.err, "--database-url (DATABASE_URL): required")
	require.NotContains(t, o.err, "CURSOR_KEYS", "only the chosen command's settings count")
}

func settingsLine(ctx context.Context) string {
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).LogAttrs(ctx, slog.LevelInfo, "serving", settingsAttr(ctx))
	return out.String()
}

func TestSettings_loggedWithSecretsMasked(t *testing.T) {
	t.Parallel()
	var line string
	cli := &struct {
		Serve Command[demoConfig] `cmd:""`
	}{NewCommand(func(ctx context.Context, _ demoConfig) error { line = settingsLine(ctx); return nil })}
	o := runProgram(t, cli, "serve", map[string]string{"DATABASE_URL": "canary", "CURSOR_KEYS": goodKey, "MAX_CONNS": "5"}, nil)
	require.Equal(t, outcome{}, o)
	require.Contains(t, line, `"database-url":"[secret]"`)
	require.Contains(t, line, `"cursor-keys":"[secret]"`)
	require.Contains(t, line, `"max-conns":"5"`)
	require.Contains(t, line, `"drain-wait":"5s"`)
	require.NotContains(t, line, "canary")
	require.NotContains(t, settingsLine(t.Context()), "settings", "nothing for a service that a test started")
}

type optional struct {
	Refused *int           `name:"refused" env:"REFUSED" default:"300"`
	Wait    *time.Duration `name:"wait" env:"WAIT"`
	Name    *string        `name:"name" env:"NAME"`
}

// The log has the value of a setting, and of none the address at which it is in memory.
func TestSettings_loggedWithoutPointers(t *testing.T) {
	t.Parallel()
	var line string
	cli := &struct {
		Serve Command[optional] `cmd:""`
	}{NewCommand(func(ctx context.Context, _ optional) error { line = settingsLine(ctx); return nil })}
	o := runProgram(t, cli, "serve", map[string]string{"WAIT": "90s"}, nil)
	require.Equal(t, outcome{}, o)
	require.Contains(t, line, `"settings":{"refused":"300","wait":"1m30s","name":""}`)
}

func TestVersion_revisionUnlessLinked(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{}
	require.Equal(t, "devel", versionFrom(info))
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}}
	require.Equal(t, "0123456789ab", versionFrom(info))
	info.Settings = append(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	require.Equal(t, "0123456789ab+dirty", versionFrom(info))
	require.NotEmpty(t, Version())
}
