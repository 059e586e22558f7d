package conformance_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/oracle"
)

func url(document *openapi3.T, path string) string {
	for _, name := range []string{"OrderNo", "ClaimNo", "QnaId"} {
		parameter := document.Components.Parameters[name].Value
		value, _ := parameter.Example.(string)
		path = strings.ReplaceAll(path, "{"+parameter.Name+"}", value)
	}
	return path
}

// An example that a strict reader rejects would mislead clients. Status, headers and body are built from examples.
func TestExamples_answersPassStrictOracle(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	checker, err := oracle.New()
	require.NoError(t, err)
	count := 0
	for name, c := range calls(document) {
		r := httptest.NewRequestWithContext(t.Context(), c.method, url(document, c.path), nil)
		for key, ref := range c.spec.Responses.Map() {
			status, err := strconv.Atoi(key)
			require.NoError(t, err)
			for example, value := range ref.Value.Content["application/json"].Examples {
				header, body := exampleAnswer(t, ref.Value, value.Value.Value)
				_, err := checker.Check(r, status, header, body)
				require.NoError(t, err, "%s %s %s", name, key, example)
				count++
			}
		}
	}
	require.Greater(t, count, 250)
	for _, finding := range checker.Unseen() {
		failedEntry := finding.Status == http.StatusOK && finding.Code != ""
		shown := failedEntry || finding.Operation == "" || strings.HasPrefix(finding.Operation, "get_openapi_")
		require.True(t, shown, "an answer without an example: %s", finding)
	}
}

func exampleAnswer(t *testing.T, response *openapi3.Response, value any) (http.Header, []byte) {
	t.Helper()
	body, err := json.Marshal(value)
	require.NoError(t, err)
	header := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	for name, ref := range response.Headers {
		text, err := json.Marshal(ref.Value.Example)
		require.NoError(t, err)
		header.Set(name, strings.Trim(string(text), `"`))
	}
	var failure struct {
		Meta struct {
			Data struct {
				RequestID string `json:"request_id"`
			} `json:"error_data"`
		} `json:"meta"`
	}
	require.NoError(t, json.Unmarshal(body, &failure))
	if id := failure.Meta.Data.RequestID; id != "" {
		header.Set("X-Request-Id", id)
	}
	return header, body
}

func TestExamples_oneFailurePerCode(t *testing.T) {
	t.Parallel()
	responses(parsed(t), func(where string, status int, response *openapi3.Response) {
		if status < 400 {
			return
		}
		var shown []string
		for name, ref := range response.Content["application/json"].Examples {
			value, _ := ref.Value.Value.(map[string]any)
			meta, _ := value["meta"].(map[string]any)
			code, _ := meta["error_code"].(string)
			shown = append(shown, code)
			if code != "" {
				require.Equal(t, code, name, where)
			}
		}
		require.ElementsMatch(t, codes(response), shown, where)
	})
}

func TestExamples_requestsMatchContract(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	checker, err := oracle.New()
	require.NoError(t, err)
	for name, c := range calls(document) {
		bodies := map[string]any{"(none)": nil}
		if c.spec.RequestBody != nil {
			bodies = map[string]any{}
			for example, ref := range c.spec.RequestBody.Value.Content["application/json"].Examples {
				bodies[example] = ref.Value.Value
			}
			require.NotEmpty(t, bodies, name)
		}
		for example, value := range bodies {
			var body []byte
			if value != nil {
				body, err = json.Marshal(value)
				require.NoError(t, err)
			}
			r := exampleRequest(t, document, c)
			require.NoError(t, checker.CheckRequest(r, body), "%s %s", name, example)
		}
	}
}

func exampleRequest(t *testing.T, document *openapi3.T, c call) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), c.method, url(document, c.path), nil)
	query := r.URL.Query()
	for _, ref := range c.spec.Parameters {
		text, err := json.Marshal(ref.Value.Example)
		require.NoError(t, err)
		value := strings.Trim(string(text), `"`)
		require.NotEqual(t, "null", value, "%s has no example", ref.Value.Name)
		switch ref.Value.In {
		case openapi3.ParameterInQuery:
			query.Set(ref.Value.Name, value)
		case openapi3.ParameterInHeader:
			r.Header.Set(ref.Value.Name, value)
		}
	}
	r.URL.RawQuery = query.Encode()
	if c.spec.RequestBody != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func TestEveryExampleIsUsed(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	used := map[string]bool{}
	note := func(content openapi3.Content) {
		for _, media := range content {
			for _, ref := range media.Examples {
				used[strings.TrimPrefix(ref.Ref, "#/components/examples/")] = true
			}
		}
	}
	responses(document, func(_ string, _ int, response *openapi3.Response) { note(response.Content) })
	for _, c := range calls(document) {
		if c.spec.RequestBody != nil {
			note(c.spec.RequestBody.Value.Content)
		}
	}
	require.Equal(t, keys(document.Components.Examples), keys(used))
}
