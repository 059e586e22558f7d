package e2e

import (
	"bufio"
	"context"
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

// clientCall is one call of a client: the operation, what its path names, its filter or body, and how it processes.
type clientCall struct {
	operation, id string
	request       any
	key           string
	recover       bool
}

// outcome is what a client makes of a call: a result, or the failure that the server told.
type outcome struct {
	Result json.RawMessage `json:"result"`
	Status int             `json:"status"`
	Code   string          `json:"code"`
}

// caller calls with a client that is open.
type caller func(t *testing.T, call clientCall) outcome

// callers open a client of each language on an address, with an API key.
var callers = map[string]func(t *testing.T, address, apiKey string) caller{"go": callInGo, "typescript": callInTypeScript}

// goMethods are the methods of the Go client by operation.
var goMethods = map[string]goMethod{
	"list_orders":        filtered((*sellerapi.Client).ListOrders),
	"get_order":          named((*sellerapi.Client).GetOrder),
	"prepare_order":      namedAndGiven((*sellerapi.Client).PrepareOrder),
	"ship_order":         namedAndGiven((*sellerapi.Client).ShipOrder),
	"ship_orders":        given((*sellerapi.Client).ShipOrders),
	"deliver_order":      namedAndGiven((*sellerapi.Client).DeliverOrder),
	"list_claims":        filtered((*sellerapi.Client).ListClaims),
	"get_claim":          named((*sellerapi.Client).GetClaim),
	"approve_claim":      named((*sellerapi.Client).ApproveClaim),
	"reject_claim":       namedAndGiven((*sellerapi.Client).RejectClaim),
	"pickup_claim":       namedAndGiven((*sellerapi.Client).PickupClaim),
	"collect_done_claim": named((*sellerapi.Client).CollectDoneClaim),
	"inspect_claim":      namedAndGiven((*sellerapi.Client).InspectClaim),
	"reship_claim":       namedAndGiven((*sellerapi.Client).ReshipClaim),
	"list_inquiries":     filtered((*sellerapi.Client).ListInquiries),
	"answer_inquiry":     namedAndGiven((*sellerapi.Client).AnswerInquiry),
}

// goMethod calls a method with what the path names and with a filter or body, as JSON.
type goMethod func(ctx context.Context, client *sellerapi.Client, id string, request []byte, options ...sellerapi.CallOption) (any, error)

// filtered makes a goMethod of a method that takes a filter, whose fields are found by the names of their parameters.
func filtered[F, R any](method func(*sellerapi.Client, context.Context, F, ...sellerapi.CallOption) (R, error)) goMethod {
	return func(ctx context.Context, client *sellerapi.Client, _ string, request []byte, options ...sellerapi.CallOption) (any, error) {
		var values map[string]string
		if err := json.Unmarshal(request, &values); err != nil {
			return nil, err
		}
		var filter F
		fields := reflect.ValueOf(&filter).Elem()
		for i := range fields.NumField() {
			if value, named := values[fields.Type().Field(i).Tag.Get("query")]; named {
				fields.Field(i).SetString(value)
			}
		}
		return method(client, ctx, filter, options...)
	}
}

// given makes a goMethod of a method that takes a body.
func given[Q, R any](method func(*sellerapi.Client, context.Context, Q, ...sellerapi.CallOption) (R, error)) goMethod {
	return func(ctx context.Context, client *sellerapi.Client, _ string, request []byte, options ...sellerapi.CallOption) (any, error) {
		var value Q
		if err := json.Unmarshal(request, &value); err != nil {
			return nil, err
		}
		return method(client, ctx, value, options...)
	}
}

// named makes a goMethod of a method that takes what the path names.
func named[R any](method func(*sellerapi.Client, context.Context, string, ...sellerapi.CallOption) (R, error)) goMethod {
	return func(ctx context.Context, client *sellerapi.Client, id string, _ []byte, options ...sellerapi.CallOption) (any, error) {
		return method(client, ctx, id, options...)
	}
}

// namedAndGiven makes a goMethod of a method that takes both.
func namedAndGiven[Q, R any](method func(*sellerapi.Client, context.Context, string, Q, ...sellerapi.CallOption) (R, error)) goMethod {
	return func(ctx context.Context, client *sellerapi.Client, id string, request []byte, options ...sellerapi.CallOption) (any, error) {
		var value Q
		if err := json.Unmarshal(request, &value); err != nil {
			return nil, err
		}
		return method(client, ctx, id, value, options...)
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
		request, err := json.Marshal(call.request)
		require.NoError(t, err)
		result, err := goMethods[call.operation](t.Context(), client, call.id, request, options...)
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
	process := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "caller.mjs"), client)
	process.Env = []string{"PATH=" + os.Getenv("PATH"), "SELLER_API_URL=" + address, "SELLER_API_KEY=" + apiKey}
	process.Stderr = os.Stderr
	calls, err := process.StdinPipe()
	require.NoError(t, err)
	said, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		_ = calls.Close() // it ends with its input, if the test's end has not ended it
		_ = process.Wait()
	})
	outcomes := bufio.NewReader(said)
	return func(t *testing.T, call clientCall) outcome {
		t.Helper()
		line, err := json.Marshal(map[string]any{"method": camelCase(call.operation), "values": call.values()})
		require.NoError(t, err)
		_, err = fmt.Fprintf(calls, "%s\n", line)
		require.NoError(t, err)
		answer, err := outcomes.ReadBytes('\n')
		require.NoError(t, err, call.operation)
		var told outcome
		require.NoError(t, json.Unmarshal(answer, &told))
		return told
	}
}

// values are the arguments of the TypeScript client's method.
func (c clientCall) values() []any {
	var values []any
	if c.id != "" {
		values = append(values, c.id)
	}
	if c.request != nil {
		values = append(values, c.request)
	}
	options := map[string]any{"recoverExpired": c.recover}
	if c.key != "" {
		options["idempotencyKey"] = c.key
	}
	return append(values, options)
}

// camelCase is listOrders for list_orders.
func camelCase(operation string) string {
	words := strings.Split(operation, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
