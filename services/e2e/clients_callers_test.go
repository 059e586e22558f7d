package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// clientCall is one call of a client: the operation, the id in its path, its filter or body, its idempotency key, and whether it
// recovers from an expired one.
type clientCall struct {
	operation, id string
	request       any
	key           string
	recover       bool
}

type outcome struct {
	Result json.RawMessage `json:"result"`
	Status int             `json:"status"`
	Code   string          `json:"code"`
}

type caller func(t *testing.T, call clientCall) outcome

var callers = map[string]func(t *testing.T, address, apiKey string) caller{
	"go": callInGo, "typescript": callInTypeScript, "python": callInPython,
}

// goCall calls the method of the Go client that has the operation's name, with the id of the path and with a filter or body as
// JSON.
func goCall(t *testing.T, client *sellerapi.Client, call clientCall, options ...sellerapi.CallOption) (any, error) {
	t.Helper()
	name := camelCase(call.operation)
	method := reflect.ValueOf(client).MethodByName(strings.ToUpper(name[:1]) + name[1:])
	require.True(t, method.IsValid(), call.operation)
	request, err := json.Marshal(call.request)
	require.NoError(t, err)
	arguments := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.Type().NumIn()-1; i++ {
		argument := reflect.New(method.Type().In(i)).Elem()
		switch {
		case argument.Kind() == reflect.String:
			argument.SetString(call.id)
		case strings.HasSuffix(argument.Type().Name(), "Filter"):
			fillFilter(t, argument, request)
		default:
			require.NoError(t, json.Unmarshal(request, argument.Addr().Interface()))
		}
		arguments = append(arguments, argument)
	}
	for _, option := range options {
		arguments = append(arguments, reflect.ValueOf(option))
	}
	results := method.Call(arguments)
	err, _ = results[1].Interface().(error)
	return results[0].Interface(), err
}

func fillFilter(t *testing.T, filter reflect.Value, request []byte) {
	t.Helper()
	var values map[string]string
	require.NoError(t, json.Unmarshal(request, &values))
	for i := range filter.NumField() {
		if value, named := values[filter.Type().Field(i).Tag.Get("query")]; named {
			filter.Field(i).SetString(value)
		}
	}
}

func callInGo(t *testing.T, address, apiKey string) caller {
	t.Helper()
	client, err := sellerapi.New(address, apiKey)
	require.NoError(t, err)
	return func(t *testing.T, call clientCall) outcome {
		t.Helper()
		var options []sellerapi.CallOption
		if call.key != "" {
			options = append(options, sellerapi.Key(call.key))
		}
		if call.recover {
			options = append(options, sellerapi.RecoverExpired())
		}
		result, err := goCall(t, client, call, options...)
		var refused *sellerapi.Error
		if errors.As(err, &refused) {
			return outcome{Status: refused.Status, Code: string(refused.Code)}
		}
		require.NoError(t, err, call.operation)
		text, err := json.Marshal(result)
		require.NoError(t, err)
		return outcome{Result: text}
	}
}

func callInTypeScript(t *testing.T, address, apiKey string) caller {
	t.Helper()
	example, err := typeScriptMirror()
	require.NoError(t, err)
	client := "file://" + filepath.Join(filepath.Dir(filepath.Dir(example)), "src", "index.js")
	ask := startCaller(t, address, apiKey, "node", filepath.Join("testdata", "caller.mjs"), client)
	return func(t *testing.T, call clientCall) outcome {
		t.Helper()
		options := map[string]any{"recoverExpired": call.recover}
		if call.key != "" {
			options["idempotencyKey"] = call.key
		}
		return ask(t, map[string]any{"method": camelCase(call.operation), "values": append(call.values(), options)})
	}
}

func callInPython(t *testing.T, address, apiKey string) caller {
	t.Helper()
	ask := startCaller(t, address, apiKey, "python3", "-B", filepath.Join("testdata", "caller.py"))
	return func(t *testing.T, call clientCall) outcome {
		t.Helper()
		options := map[string]any{}
		if call.key != "" {
			options["idempotency_key"] = call.key
		}
		if call.recover {
			options["recover_expired"] = true
		}
		return ask(t, map[string]any{"method": call.operation, "values": call.values(), "options": options})
	}
}

// startCaller starts a program that makes calls with a client of another language: it reads one call per line and writes one
// outcome per line.
func startCaller(t *testing.T, address, apiKey, program string, arguments ...string) func(t *testing.T, call any) outcome {
	t.Helper()
	process := exec.CommandContext(t.Context(), program, arguments...)
	process.Env = append(pythonEnvironment(), "PATH="+os.Getenv("PATH"), "SELLER_API_URL="+address, "SELLER_API_KEY="+apiKey)
	process.Stderr = os.Stderr
	calls, err := process.StdinPipe()
	require.NoError(t, err)
	said, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		_ = calls.Close() // the program ends with its input, unless the end of the test has killed it
		_ = process.Wait()
	})
	outcomes := bufio.NewReader(said)
	return func(t *testing.T, call any) outcome {
		t.Helper()
		line, err := json.Marshal(call)
		require.NoError(t, err)
		_, err = fmt.Fprintf(calls, "%s\n", line)
		require.NoError(t, err)
		answer, err := outcomes.ReadBytes('\n')
		require.NoError(t, err, "%s", line)
		var told outcome
		require.NoError(t, json.Unmarshal(answer, &told))
		return told
	}
}

// values returns the arguments of a method: the id of the path, and the filter or body.
func (c clientCall) values() []any {
	values := []any{}
	if c.id != "" {
		values = append(values, c.id)
	}
	if c.request != nil {
		values = append(values, c.request)
	}
	return values
}

// camelCase converts list_orders to listOrders.
func camelCase(operation string) string {
	words := strings.Split(operation, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
