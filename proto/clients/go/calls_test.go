//go:build go1.24

package sellerapi_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type callScenario struct {
	Name string `json:"name"`
	Call struct {
		Operation string          `json:"operation"`
		ID        string          `json:"id"`
		Filter    map[string]any  `json:"filter"`
		Body      json.RawMessage `json:"body"`
		Key       string          `json:"key"`
		Recover   bool            `json:"recover_expired"`
	} `json:"call"`
	Answers  []scripted      `json:"answers"`
	Requests []expected      `json:"requests"`
	Waits    []float64       `json:"waits"`
	Result   json.RawMessage `json:"result"`
	Error    map[string]any  `json:"error"`
	Info     map[string]any  `json:"info"`
}

// Every call keeps the promise of its scenario.
func TestCalls(t *testing.T) {
	t.Parallel()
	for _, scenario := range load[callScenario](t, "calls.json") {
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			s, c := play(t, scenario.Answers...), newClock()
			var info sellerapi.ResponseInfo
			result, err := scenario.perform(t, client(t, s, c), sellerapi.Capture(&info))
			requireRequests(t, scenario.Requests, s)
			require.Equal(t, scenario.Waits, append([]float64{}, c.waits...))
			if scenario.Error != nil {
				requireFailure(t, scenario.Error, err)
				return
			}
			require.NoError(t, err)
			if scenario.Result != nil {
				want := reflect.New(reflect.TypeOf(result))
				require.NoError(t, json.Unmarshal(scenario.Result, want.Interface()))
				require.Equal(t, want.Elem().Interface(), result)
			}
			requireInfo(t, scenario.Info, info)
		})
	}
}

func (c callScenario) perform(t *testing.T, client *sellerapi.Client, options ...sellerapi.CallOption) (any, error) {
	t.Helper()
	if c.Call.Key != "" {
		options = append(options, sellerapi.Key(c.Call.Key))
	}
	if c.Call.Recover {
		options = append(options, sellerapi.RecoverExpired())
	}
	method := reflect.ValueOf(client).MethodByName(goName(c.Call.Operation))
	require.True(t, method.IsValid(), c.Call.Operation)
	arguments := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.Type().NumIn()-1; i++ {
		parameter := reflect.New(method.Type().In(i)).Elem()
		switch {
		case parameter.Kind() == reflect.String:
			parameter.SetString(c.Call.ID)
		case strings.HasSuffix(parameter.Type().Name(), "Filter"):
			fillFilter(t, parameter, c.Call.Filter)
		default:
			require.NoError(t, json.Unmarshal(c.Call.Body, parameter.Addr().Interface()))
		}
		arguments = append(arguments, parameter)
	}
	for _, option := range options {
		arguments = append(arguments, reflect.ValueOf(option))
	}
	results := method.Call(arguments)
	err, _ := results[1].Interface().(error)
	return results[0].Interface(), err
}

func fillFilter(t *testing.T, filter reflect.Value, values map[string]any) {
	t.Helper()
	left := len(values)
	for i := range filter.NumField() {
		value, named := values[filter.Type().Field(i).Tag.Get("query")]
		if !named {
			continue
		}
		left--
		switch field := filter.Field(i); field.Interface().(type) {
		case time.Time:
			at, err := time.Parse(time.RFC3339, value.(string))
			require.NoError(t, err)
			field.Set(reflect.ValueOf(at))
		case int:
			field.SetInt(int64(value.(float64)))
		default:
			field.SetString(value.(string))
		}
	}
	require.Zero(t, left, "a parameter without field")
}

// goName converts list_orders to ListOrders.
func goName(operation string) string {
	var name strings.Builder
	for part := range strings.SplitSeq(operation, "_") {
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}

func requireFailure(t *testing.T, want map[string]any, err error) {
	t.Helper()
	require.Error(t, err)
	got := map[string]any{"temporary": sellerapi.Temporary(err), "text": err.Error()}
	var refused *sellerapi.Error
	var unanswered *sellerapi.UnansweredError
	switch {
	case errors.As(err, &refused):
		got["kind"], got["status"], got["code"] = "refused", float64(refused.Status), string(refused.Code)
		got["request_id"], got["key"] = refused.RequestID, refused.IdempotencyKey
		got["attempts"], got["retry_after"] = float64(refused.Attempts), refused.RetryAfter.Seconds()
		requireDetails(t, want, refused)
		require.Equal(t, refused.Code != "", errors.Is(err, refused.Code), "a code compares, an empty one does not")
	case errors.As(err, &unanswered):
		got["kind"], got["attempts"], got["key"] = "unanswered", float64(unanswered.Attempts), unanswered.IdempotencyKey
	}
	for name, value := range want {
		if name != "fields" && name != "items" {
			require.Equal(t, value, got[name], "%s: %v", name, err)
		}
	}
	require.NotContains(t, err.Error(), "vpk_test", "the key is nobody's business")
}

func requireDetails(t *testing.T, want map[string]any, refused *sellerapi.Error) {
	t.Helper()
	if fields, listed := want["fields"].(map[string]any); listed {
		for name, code := range fields {
			field, there := refused.Field(name)
			require.True(t, there)
			require.Equal(t, code, field.Code)
		}
		_, there := refused.Field("another")
		require.False(t, there)
	}
	if items, listed := want["items"]; listed {
		text, err := json.Marshal(refused.Data.Items)
		require.NoError(t, err)
		require.JSONEq(t, mustJSON(t, items), string(text))
	}
}

func requireInfo(t *testing.T, want map[string]any, info sellerapi.ResponseInfo) {
	t.Helper()
	got := map[string]any{
		"status": float64(info.Status), "request_id": info.RequestID, "key": info.IdempotencyKey, "replayed": info.Replayed,
		"attempts": float64(info.Attempts), "limit": float64(info.Limit), "remaining": float64(info.Remaining),
		"rows_limit": float64(info.RowsLimit),
	}
	for name, value := range want {
		require.Equal(t, value, got[name], name)
	}
}

func mustJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}
