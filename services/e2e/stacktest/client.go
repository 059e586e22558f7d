package stacktest

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Call is a request to the gateway, sent exactly as its fields say.
type Call struct {
	// Method is GET when it is empty.
	Method string
	// Path is the path and, behind a question mark, the query, both already escaped.
	Path string
	// Key is the API key; empty sends none.
	Key string
	// Header holds additional headers.
	Header http.Header
	// Body is sent when it is not nil; as JSON unless Header names another type.
	Body []byte
	// Beyond marks a request that succeeds although the contract does not describe it.
	Beyond bool
}

// Get returns a call that reads. query holds pairs of names and values.
func Get(key, path string, query ...string) Call {
	if len(query)%2 != 0 {
		panic("stacktest: a query is pairs of names and values")
	}
	pairs := make([]string, 0, len(query)/2)
	for i := 0; i < len(query); i += 2 {
		pairs = append(pairs, url.QueryEscape(query[i])+"="+url.QueryEscape(query[i+1]))
	}
	if len(pairs) > 0 {
		path += "?" + strings.Join(pairs, "&")
	}
	return Call{Path: path, Key: key}
}

// Post returns a process call with an idempotency key of its own.
func Post(key, path, body string) Call {
	return Call{
		Method: http.MethodPost, Path: path, Key: key, Body: []byte(body),
		Header: http.Header{"Idempotency-Key": {uuid.NewString()}},
	}
}

// busyTimeout is how long a machine that runs many tests at once may be too busy to check limits in time.
const busyTimeout = 3 * time.Minute

// Do sends the call and reads the answer, which must be an envelope. As the specification asks of clients, it retries when
// the limits could not be checked in time.
func (s *Stack) Do(t *testing.T, call Call) Answer {
	t.Helper()
	for until, tries := time.Now().Add(busyTimeout), 0; ; tries++ {
		answer := s.Once(t, call)
		answer.Unchecked = tries
		if !answer.isBusy() || time.Now().After(until) {
			return answer
		}
		<-time.After(100 * time.Millisecond)
	}
}

// Undisturbed runs body, whose calls are counted exactly. It runs body again from the beginning when the limits of one of
// its calls could not be checked in time, because it is unknown whether that call was counted, and when the machine is so
// busy that the first calls are about to leave the window.
func (s *Stack) Undisturbed(t *testing.T, body func(do func(Call) Answer)) {
	t.Helper()
	for range 20 {
		if s.undisturbed(t, body) {
			return
		}
	}
	t.Fatal("the machine is too busy to count calls")
}

// window is the length of the window of the published limits, and busyMargin the part of it that is reserved for clock
// differences and slow answers.
const (
	window     = time.Minute
	busyMargin = 5 * time.Second
)

// disturbed is the panic value that interrupts a body.
type disturbed struct{}

func (s *Stack) undisturbed(t *testing.T, body func(do func(Call) Answer)) (ok bool) {
	t.Helper()
	defer func() {
		switch problem := recover(); problem {
		case nil, disturbed{}:
		default:
			panic(problem)
		}
	}()
	until := time.Now().Add(window - busyMargin)
	body(func(call Call) Answer {
		answer := s.Once(t, call)
		if answer.isBusy() || time.Now().After(until) {
			panic(disturbed{})
		}
		return answer
	})
	return true
}

// Once is Do without retries, for tests in which Redis is unavailable.
func (s *Stack) Once(t *testing.T, call Call) Answer {
	t.Helper()
	answer := s.Raw(t, call)
	answer.read(t)
	return answer
}

// Raw sends the call without checking that the answer is an envelope. Like every exchange, it is checked against the
// published contract.
func (s *Stack) Raw(t *testing.T, call Call) Answer {
	t.Helper()
	answer, err := s.send(s.request(t, call))
	require.NoError(t, err)
	return answer
}

func (s *Stack) request(t *testing.T, call Call) *http.Request {
	t.Helper()
	method := call.Method
	if method == "" {
		method = http.MethodGet
	}
	ctx := t.Context()
	if call.Beyond {
		ctx = withBeyond(ctx)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.GatewayURL+call.Path, bytes.NewReader(call.Body))
	require.NoError(t, err)
	if call.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if call.Key != "" {
		request.Header.Set("X-Api-Key", call.Key)
	}
	for name, values := range call.Header {
		request.Header[name] = values
	}
	return request
}
