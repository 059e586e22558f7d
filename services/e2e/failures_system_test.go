package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

// ofSystem are refusals of valid calls: because of limits, or because a part of the system is down.
var ofSystem = map[apierr.Code]provocation{
	apierr.RateLimited: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		call := stacktest.Get(d.seller.Key, "/open/v1/orders", "limit", "100")
		for range 60 {
			d.Do(t, call)
		}
		return call
	},
	apierr.RateLimitUnavailable: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		redis, err := launch.PooledRedis(t.Context())
		require.NoError(t, err)
		call := toList("limit", "100")(t, d)
		d.Stack = d.Through(t, func(config *gateway.Config) {
			config.Redis.URL, config.Limits.Timeout = secret.New(redis.URL), 0
		})
		require.NoError(t, redis.Stop())
		return call
	},
	apierr.Internal: func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, ids := d.place(t)
		poison(t, d.Stack, ids[0])
		return d.toShip(t, no, shipped(ids...))
	},
	apierr.BadUpstream: through(func(config *gateway.Config) {
		config.SigningKey, config.TrustedKeys = trusttest.Key(trust.Gateway), trusttest.Keys()
	}),
	apierr.Unavailable: through(func(config *gateway.Config) {
		config.Upstream.Upstreams = service.Upstreams{"orders": "http://127.0.0.1:1"} // a privileged port that nothing listens on
	}),
	apierr.UpstreamTimeout: through(func(config *gateway.Config) { config.Upstream.Timeout = time.Nanosecond }),
}

// through ships an order through a gateway with changed settings.
func through(change func(*gateway.Config)) provocation {
	return func(t *testing.T, d *session) stacktest.Call {
		t.Helper()
		no, ids := d.place(t)
		d.Stack = d.Through(t, change)
		return d.toShip(t, no, shipped(ids...))
	}
}

// refusedMeanwhile sends the call while the same call waits for a service that does not respond.
func (d *session) refusedMeanwhile(t *testing.T, call stacktest.Call) stacktest.Answer {
	t.Helper()
	silent := listen(t)
	stuck := d.Through(t, func(config *gateway.Config) {
		config.Upstream.Upstreams = service.Upstreams{"orders": "http://" + silent.Addr().String()}
	})
	answered := make(chan stacktest.Answer, 1)
	go func() { answered <- stuck.Do(t, call) }()
	connection, err := silent.Accept()
	require.NoError(t, err)
	answer := d.Do(t, call)
	require.NoError(t, connection.Close())
	<-answered
	return answer
}

// expired sends a call and lets its stored response expire.
func expired(t *testing.T, d *session) stacktest.Call {
	t.Helper()
	no, ids := d.place(t)
	call := d.toShip(t, no, shipped(ids...))
	require.Equal(t, http.StatusOK, d.Do(t, call).Status)
	expireAnswers(t, d.Stack, d.seller.ID)
	d.Stack = d.Through(t, ownRedis(t)) // the entries of the first Redis are gone as well
	return call
}

// answeredMeanwhile repeats the answer of an inquiry while an operator withdraws it.
func (d *session) answeredMeanwhile(t *testing.T, call stacktest.Call) stacktest.Answer {
	t.Helper()
	id := strings.Split(call.Path, "/")[4]
	var answer stacktest.Answer
	stacktest.Await(t, "the two calls meet", func() bool { // on a busy machine either call may time out before
		require.Equal(t, http.StatusOK, d.client.Do(t, answerTo("", id, "네")).Status)
		answer = d.takenBackMeanwhile(t, id, call.Under(uuid.NewString()))
		return answer.Code() == string(apierr.QnaAnswerUnresolved)
	})
	return answer
}

// halfAnswered sends the beginning of the call's body, and never the rest.
func (d *session) halfAnswered(t *testing.T, call stacktest.Call) (answer stacktest.Answer) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "POST %s HTTP/1.1\r\nHost: gateway\r\nX-Api-Key: %s\r\nContent-Type: application/json\r\nContent-Length: "+
		"%d\r\n",
		call.Path, call.Key, 2*len(call.Body))
	for name, values := range call.Header {
		fmt.Fprintf(&text, "%s: %s\r\n", name, values[0])
	}
	text.WriteString("\r\n" + string(call.Body))
	stacktest.Await(t, "an answer of limits that could be checked", func() bool {
		answer.Status, answer.Body = halfAnswered(t, d.Stack, call.Path, text.String())
		return answer.Status != http.StatusServiceUnavailable
	})
	return answer
}

// halfAnswered sends part of a request on a connection of its own, and returns the response after it was checked against the
// contract.
func halfAnswered(t *testing.T, s *stacktest.Stack, path, text string) (status int, body []byte) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.GatewayURL, "http://"))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = conn.Write([]byte(text))
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.GatewayURL+path, nil)
	require.NoError(t, err)
	contract, err := stacktest.Contract()
	require.NoError(t, err)
	_, err = contract.Check(request, response.StatusCode, response.Header, body)
	require.NoError(t, err)
	stacktest.Record(body)
	return response.StatusCode, body
}
