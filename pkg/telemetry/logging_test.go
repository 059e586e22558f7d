package telemetry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/telemetry"
)

func logged(t *testing.T, write func(*telemetry.Telemetry)) (text string, lines []map[string]any) {
	t.Helper()
	var out bytes.Buffer
	tel, err := telemetry.New(t.Context(), "orders", "1.2.3", telemetry.Config{LogLevel: slog.LevelInfo},
		telemetry.WithLogWriter(&out))
	require.NoError(t, err)
	write(tel)
	require.NoError(t, tel.Shutdown(t.Context()))
	for line := range strings.Lines(out.String()) {
		var decoded map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &decoded), line)
		lines = append(lines, decoded)
	}
	return out.String(), lines
}

func TestLogger_spanIDsAtTopLevel(t *testing.T) {
	t.Parallel()
	var span trace.SpanContext
	_, lines := logged(t, func(tel *telemetry.Telemetry) {
		ctx, s := tel.Tracer("test").Start(t.Context(), "work")
		defer s.End()
		span = s.SpanContext()
		tel.Logger.InfoContext(ctx, "plain")
		tel.Logger.With("a", 1).WithGroup("outer").With("b", 2).WithGroup("").WithGroup("inner").InfoContext(ctx, "grouped", "c", 3)
	})
	require.True(t, span.IsValid())
	for _, line := range lines {
		require.Equal(t, span.TraceID().String(), line["trace_id"])
		require.Equal(t, span.SpanID().String(), line["span_id"])
		require.Equal(t, "orders", line["service"])
		require.Equal(t, "1.2.3", line["version"])
	}
	require.InDelta(t, 1, lines[1]["a"], 0)
	require.Equal(t, map[string]any{"b": 2.0, "inner": map[string]any{"c": 3.0}}, lines[1]["outer"])
}

func TestLogger_outsideSpanAndLevel(t *testing.T) {
	t.Parallel()
	_, lines := logged(t, func(tel *telemetry.Telemetry) {
		tel.Logger.DebugContext(t.Context(), "not shown")
		tel.Logger.InfoContext(t.Context(), "shown")
	})
	require.Len(t, lines, 1)
	require.Equal(t, "shown", lines[0]["msg"])
	require.NotContains(t, lines[0], "trace_id")
}

// The values of attributes with the names of secrets are redacted.
func TestLogger_secretAttributesMasked(t *testing.T) {
	t.Parallel()
	const canary = "canary-0a1b2c"
	text, lines := logged(t, func(tel *telemetry.Telemetry) {
		for _, name := range []string{
			"password", "DB_PASSWORD", "token", "access-token", "clientSecret", "api_key", "X-Api-Key", "apiKey",
			"Authorization", "Set-Cookie", "key_pepper", "private.key", "credentials",
		} {
			tel.Logger.Info("line", name, canary)
		}
		tel.Logger.Info("group", slog.Group("secret", slog.String("value", canary), slog.Group("deep", slog.Any("x", canary))))
		tel.Logger.WithGroup("token").Info("with group", "value", canary)
		tel.Logger.With("password", canary).Info("with")
		tel.Logger.Info("longer", "token_id_text", canary, "token_ids", canary)
		tel.Logger.Info("harmless", "key_id", "k1", "token_id", "t1", "key_prefix", "vpk_live_abc", "idempotency", "x")
	})
	require.NotContains(t, text, canary)
	require.Equal(t, "[redacted]", lines[0]["password"])
	last := lines[len(lines)-1]
	require.Equal(t, "k1", last["key_id"])
	require.Equal(t, "t1", last["token_id"])
	require.Equal(t, "vpk_live_abc", last["key_prefix"])
}

// A line shows the value behind a pointer, and of a function or a channel its type. An address in memory tells nobody anything.
func TestLogger_neverAnAddress(t *testing.T) {
	t.Parallel()
	number := 300
	pointer := &number
	var none *int
	type nested struct {
		Number  *int
		Numbers []*int
		Action  func()     `json:"-"`
		Events  chan<- int `json:"-"`
	}
	values := map[string]struct{ logged, shown any }{
		"pointer":            {pointer, 300.0},
		"pointer to pointer": {&pointer, 300.0},
		"nil":                {nil, nil},
		"nil pointer":        {none, nil},
		"list of pointers":   {[]*int{pointer}, []any{300.0}},
		"map of pointers":    {map[string]*int{"a": pointer}, map[string]any{"a": 300.0}},
		"struct": {
			&nested{Number: pointer, Numbers: []*int{pointer}},
			map[string]any{"Number": 300.0, "Numbers": []any{300.0}},
		},
		"function":           {func() {}, "func()"},
		"nil function":       {(func(int) error)(nil), "func(int) error"},
		"channel":            {make(chan int), "chan int"},
		"pointer to channel": {new(chan int), "*chan int"},
		"unsafe pointer":     {unsafe.Pointer(pointer), "unsafe.Pointer"},
		"error":              {errors.New("closed"), "closed"},
	}
	text, lines := logged(t, func(tel *telemetry.Telemetry) {
		for name, value := range values {
			tel.Logger.Info(name, "value", value.logged)
			tel.Logger.With("value", value.logged).Info(name)
			tel.Logger.WithGroup("inner").Info(name, slog.Group("group", "value", value.logged))
		}
	})
	require.NotRegexp(t, `0x[0-9a-f]{6,}|!ERROR|!BADKEY`, text)
	require.Len(t, lines, 3*len(values))
	for _, line := range lines {
		if inner, grouped := line["inner"].(map[string]any); grouped {
			line["value"] = inner["group"].(map[string]any)["value"]
		}
		require.Equal(t, values[line["msg"].(string)].shown, line["value"], line["msg"])
	}
}

func TestLogger_sellerKeysTruncated(t *testing.T) {
	t.Parallel()
	const live, test = "vpk_live_AbC123456789xyzCANARY", "vpk_test_Zyx987654321abcCANARY"
	text, lines := logged(t, func(tel *telemetry.Telemetry) {
		tel.Logger.Info("key "+live, "value", test)
		tel.Logger.Info("error", "error", errors.New("cannot use "+live))
		tel.Logger.Info("struct", "request", struct{ Header map[string][]string }{map[string][]string{"X": {live, test}}})
		tel.Logger.Info("name", live, "value")
	})
	require.NotContains(t, text, "CANARY")
	require.Equal(t, "key vpk_live_AbC", lines[0]["msg"])
	require.Equal(t, "vpk_test_Zyx", lines[0]["value"])
	require.Equal(t, "cannot use vpk_live_AbC", lines[1]["error"])
}

// Passwords inside addresses are removed, and other addresses are left
// unchanged.
func TestLogger_passwordsInAddressesRemoved(t *testing.T) {
	t.Parallel()
	text, lines := logged(t, func(tel *telemetry.Telemetry) {
		tel.Logger.Info("dial postgres://app:p@ss-CANARY@db:5432/x?y=z", "url", "redis://:CANARY@redis:6379/0")
		tel.Logger.Info("harmless", "url", "http://orders:8080/open/v1/orders?mail=a@b", "mail", "x@y")
	})
	require.NotContains(t, text, "CANARY")
	require.Equal(t, "dial postgres://app:[redacted]@db:5432/x?y=z", lines[0]["msg"])
	require.Equal(t, "http://orders:8080/open/v1/orders?mail=a@b", lines[1]["url"])
}
