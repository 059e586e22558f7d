package stack_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/gateway"
	"sellerapi.dev/services/orders"
	"sellerapi.dev/services/qna"
)

// mostSettings is the number of environment variables that the four services have together. Before raising it, look for one
// that follows from others, or that no operator would set.
const mostSettings = 51

// setting is a variable: the fields that it sets, and the defaults that they state.
type setting struct{ fields, defaults map[string]string }

func settings(into map[string]setting, command reflect.Type) {
	if command.Kind() == reflect.Pointer {
		command = command.Elem()
	}
	if command.Kind() != reflect.Struct || command == reflect.TypeFor[gateway.ShownConfig]() { // see TestShownSettings
		return
	}
	for n := range command.NumField() {
		field := command.Field(n)
		name, ok := field.Tag.Lookup("env")
		if !ok {
			settings(into, field.Type)
			continue
		}
		if _, known := into[name]; !known {
			into[name] = setting{fields: map[string]string{}, defaults: map[string]string{}}
		}
		place := command.PkgPath() + "." + command.Name() + "." + field.Name
		into[name].fields[place] = field.Tag.Get("name")
		if value, ok := field.Tag.Lookup("default"); ok {
			into[name].defaults[place] = value
		}
	}
}

// Every variable is one more thing to get wrong in an installation, and its defaults must not contradict each other.
func TestSettings(t *testing.T) {
	t.Parallel()
	all := map[string]setting{}
	for _, command := range []any{gateway.Commands{}, orders.Config{}, claims.Config{}, qna.Config{}} {
		settings(all, reflect.TypeOf(command))
	}
	names := slices.Sorted(maps.Keys(all))
	require.LessOrEqual(t, len(names), mostSettings, strings.Join(names, " "))
	require.Greater(t, len(names), mostSettings/2, "the walk finds the settings")
	for _, name := range names {
		require.NotContains(t, name, ",", "one name for one setting")
		require.LessOrEqual(t, len(all[name].defaults), 1, "%s: %v", name, all[name].defaults)
		flags := slices.Compact(slices.Sorted(maps.Values(all[name].fields)))
		require.Len(t, flags, 1, "%s: one flag for one variable", name)
	}
	t.Log(len(names), names)
}

// The settings that the page for developers shows are those of the services, including the defaults.
func TestShownSettings(t *testing.T) {
	t.Parallel()
	shown, ships, refunds := defaults.Of[gateway.ShownConfig](), defaults.Of[orders.Config](), defaults.Of[claims.Config]()
	require.Equal(t, gateway.ShownConfig{
		ConfirmAfter: ships.ConfirmAfter, ConfirmAfterClaim: ships.ConfirmAfterClaim, Request: refunds.Periods.Request,
		Inspection: refunds.Periods.Inspection, Payment: refunds.Periods.Payment,
		KeysKept: ships.Inbox.KeysKept,
	}, shown)
	owned := map[string]setting{}
	for _, command := range []any{orders.Config{}, claims.Config{}} {
		settings(owned, reflect.TypeOf(command))
	}
	for field := range reflect.TypeFor[gateway.ShownConfig]().Fields() {
		require.Contains(t, owned, field.Tag.Get("env"), field.Name)
	}
}
