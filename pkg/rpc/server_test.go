package rpc_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

// A plain POST of JSON, as curl sends it, gets a response.
func TestMux_plainJSONPost(t *testing.T) {
	t.Parallel()
	s := serve(t, func(ctx context.Context, request *text) (*text, error) {
		return wrapperspb.String(request.GetValue() + " " + rpc.Caller(ctx)), nil
	})
	response := s.post(t, say, `"hello"`, curlHeader(t))
	require.Equal(t, http.StatusOK, response.status)
	require.JSONEq(t, `"hello operator"`, response.body)
}

// A response that fits into one packet is not compressed: that would cost more time than it saves. A long one is.
func TestMux_compression(t *testing.T) {
	t.Parallel()
	s := serve(t, echo)
	header := curlHeader(t)
	header.Set("Accept-Encoding", "gzip")
	short := s.post(t, say, `"hello"`, header)
	require.Empty(t, short.header.Get("Content-Encoding"))
	require.JSONEq(t, `"hello"`, short.body)
	long := s.post(t, say, `"`+strings.Repeat("hello", 1000)+`"`, header)
	require.Equal(t, "gzip", long.header.Get("Content-Encoding"))
	require.Less(t, len(long.body), 1000)
}

// Every protocol that clients use is supported on the same port.
func TestMux_everyProtocolOnOnePort(t *testing.T) {
	t.Parallel()
	s := serve(t, echo)
	h2c := &http.Transport{Protocols: &http.Protocols{}}
	h2c.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(h2c.CloseIdleConnections)
	h1 := &http.Transport{}
	t.Cleanup(h1.CloseIdleConnections)
	for name, c := range map[string]struct {
		transport http.RoundTripper
		options   []connect.ClientOption
	}{
		"connect, HTTP/1.1": {h1, nil},
		"connect, HTTP/2":   {h2c, nil},
		"connect, JSON":     {h1, []connect.ClientOption{connect.WithProtoJSON()}},
		"gRPC":              {h2c, []connect.ClientOption{connect.WithGRPC()}},
		"gRPC-web":          {h1, []connect.ClientOption{connect.WithGRPCWeb()}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := connect.NewClient[text, text](&http.Client{Transport: c.transport}, s.url+say, c.options...)
			request := connect.NewRequest(wrapperspb.String("hi"))
			request.Header().Set("Authorization", curlHeader(t).Get("Authorization"))
			response, err := client.CallUnary(t.Context(), request)
			require.NoError(t, err)
			require.Equal(t, "hi", response.Msg.GetValue())

			_, err = client.CallUnary(t.Context(), connect.NewRequest(wrapperspb.String("hi")))
			require.Equal(t, connect.CodeUnauthenticated, connect.CodeOf(err))
		})
	}
}

func TestMux_badTokenBeforeMessageIsRead(t *testing.T) {
	t.Parallel()
	revoked, err := rpc.NewToken(rpctest.As("operator", "orders"), time.Hour)
	require.NoError(t, err)
	s := serve(t, func(context.Context, *text) (*text, error) {
		panic("called without a credential")
	}, func(s *setup) { s.config.Revoked = []string{revoked.ID} })
	stranger := rpctest.As("operator", "orders")
	stranger.Key = trusttest.Named("stranger")
	forged, err := rpc.NewToken(stranger, time.Hour)
	require.NoError(t, err)
	for _, c := range []struct{ authorization, message string }{
		{"", "missing credential: send Authorization: Bearer <token>"},
		{"Bearer " + forged.Text, "token is not signed with a key that is trusted here"},
		{"Bearer " + rpctest.Token(t, "operator", "claims"), "token is for another service"},
		{"Bearer " + revoked.Text, "token is revoked"},
		{"Bearer x", "malformed token: expected a JWT with iss, sub, aud, iat, exp and jti"},
	} {
		header := http.Header{"Content-Type": {"application/json"}}
		if c.authorization != "" {
			header.Set("Authorization", c.authorization)
		}
		response := s.post(t, say, `not even JSON`, header)
		require.Equal(t, http.StatusUnauthorized, response.status)
		require.Equal(t, "Unauthenticated", response.header.Get("X-Error-Code"))
		require.JSONEq(t, `{"code":"unauthenticated","message":"`+c.message+`"}`, response.body)
	}
	require.InDelta(t, 5, testutil.ToFloat64(s.tel.Counter(telemetry.RPCServerRequests).WithLabelValues(say, "unauthenticated",
		"Unauthenticated")), 0)
}

// A token of one service must not give access to the procedures of another, nor to those that are granted to no caller.
func TestPermission(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ caller, procedure string }{
		"caller of other procedures": {"marketplace", say},
		"unknown caller":             {"kim", say},
		"procedure without a row":    {"claims", unlisted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(context.Context, *text) (*text, error) {
				panic("called without permission")
			})
			header := http.Header{"Content-Type": {"application/json"}}
			header.Set("Authorization", "Bearer "+rpctest.Token(t, c.caller, "orders"))
			response := s.post(t, c.procedure, `not even JSON`, header)
			require.Equal(t, http.StatusForbidden, response.status)
			require.JSONEq(t, `{"code":"permission_denied","message":"caller \"`+c.caller+`\" may not call `+c.procedure+`"}`,
				response.body)
			require.InDelta(t, 1, testutil.ToFloat64(s.tel.Counter(telemetry.RPCServerRequests).WithLabelValues(c.procedure,
				"permission_denied", "")), 0)
			require.Eventually(t, func() bool { return strings.Contains(s.logs.String(), "\n") }, time.Minute, time.Millisecond)
			for _, part := range []string{
				`"procedure":"` + c.procedure + `"`, `"caller":"` + c.caller + `"`,
				`"code":"permission_denied"`,
			} {
				require.Contains(t, s.logs.String(), part)
			}
		})
	}
}

// A server that trusts no key and a client without a signing key are configuration errors.
func TestMux_withoutKeys(t *testing.T) {
	t.Parallel()
	_, err := rpc.NewMux("orders", trust.PublicKeys{}, rpc.Config{}, telemetrytest.Discard(t))
	require.ErrorContains(t, err, "no public key of issuer")
	_, err = rpc.NewClient(rpc.Config{}, rpc.Identity{Party: trust.Claims, Caller: "claims", Audience: []string{"orders"}},
		telemetrytest.Discard(t))
	require.ErrorIs(t, err, trust.ErrNoPrivateKey)
}

func TestMux_unknownService(t *testing.T) {
	t.Parallel()
	s := serve(t, echo)
	for status, header := range map[int]http.Header{
		http.StatusNotImplemented: curlHeader(t), // what Connect returns for unimplemented
		http.StatusNotFound:       {"Content-Type": {"text/plain"}},
	} {
		response := s.post(t, "/no.such.Service/Method", `{}`, header)
		require.Equal(t, status, response.status)
		require.JSONEq(t, `{"code":"unimplemented","message":"no such service or procedure"}`, response.body)
	}
	require.InDelta(t, 2, testutil.ToFloat64(s.tel.Counter(telemetry.RPCServerRequests).WithLabelValues("unknown", "unimplemented",
		"RouteNotFound")), 0)
}

func TestMux_unreadableMessageCountedInvalid(t *testing.T) {
	t.Parallel()
	s := serve(t, echo)
	response := s.post(t, say, `{"unclosed`, curlHeader(t))
	require.Equal(t, http.StatusBadRequest, response.status)
	require.Contains(t, response.body, `"code":"invalid_argument"`)
	require.InDelta(t, 1, testutil.ToFloat64(s.tel.Counter(telemetry.RPCServerRequests).WithLabelValues(say,
		"invalid_argument", "")), 0)
}

// A message above the limit is refused, and a large one below it is accepted.
func TestMux_messageAboveLimit(t *testing.T) {
	t.Parallel()
	s := serve(t, echo, func(s *setup) { s.config.Timeout = time.Minute }) // a loaded machine takes long for so much
	response := s.post(t, say, `"`+strings.Repeat("x", 32<<20)+`"`, curlHeader(t))
	require.Equal(t, http.StatusTooManyRequests, response.status)
	require.Contains(t, response.body, `"code":"resource_exhausted"`)

	_, err := s.call(t, strings.Repeat("x", 16<<20))
	require.NoError(t, err)
}

// The deadline is the caller's up to a cap, or the default.
func TestDeadline(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		header string
		want   time.Duration
	}{
		"none":                    {"", 20 * time.Second},
		"shorter":                 {"3000", 3 * time.Second},
		"above the cap":           {"3600000", 30 * time.Second},
		"between default and cap": {"25000", 25 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var left time.Duration
			s := serve(t, func(ctx context.Context, _ *text) (*text, error) {
				deadline, ok := ctx.Deadline()
				require.True(t, ok)
				left = time.Until(deadline)
				return wrapperspb.String(""), nil
			}, func(s *setup) { s.config.Timeout = 20 * time.Second })
			header := curlHeader(t)
			if c.header != "" {
				header.Set("Connect-Timeout-Ms", c.header)
			}
			require.Equal(t, http.StatusOK, s.post(t, say, `""`, header).status)
			require.InDelta(t, c.want.Seconds(), left.Seconds(), 2)
		})
	}
}

func TestDeadline_handlerOutlivesIt(t *testing.T) {
	t.Parallel()
	s := serve(t, func(ctx context.Context, _ *text) (*text, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}, func(s *setup) { s.config.Timeout = 20 * time.Millisecond })
	response := s.post(t, say, `""`, curlHeader(t))
	require.Equal(t, http.StatusGatewayTimeout, response.status)
	require.Equal(t, "UpstreamTimeout", response.header.Get("X-Error-Code"))
	require.Contains(t, response.body, `"code":"deadline_exceeded"`)

	_, err := s.call(t, "")
	require.ErrorIs(t, err, apierr.UpstreamTimeout)
}

func TestMux_panicIsLoggedNotSent(t *testing.T) {
	t.Parallel()
	s := serve(t, func(context.Context, *text) (*text, error) {
		panic("canary of a panic")
	})
	response := s.post(t, say, `""`, curlHeader(t))
	body := response.body
	require.Equal(t, http.StatusInternalServerError, response.status)
	require.Equal(t, "Internal", response.header.Get("X-Error-Code"))
	require.NotContains(t, body, "canary")
	require.NotContains(t, body, ".go:")
	require.Eventually(t, func() bool { return strings.Contains(s.logs.String(), "canary of a panic") },
		time.Minute, time.Millisecond)
	require.Contains(t, s.logs.String(), "server_test.go")
	require.Contains(t, s.logs.String(), `"level":"ERROR"`)
}

// A call produces one log line, one count and its spans, none of which contains the message.
func TestMux_oneLogLineAndCountPerCall(t *testing.T) {
	t.Parallel()
	s := serve(t, failing(apierr.OrderNotFound.Because(errors.New("cause for the log"))))
	_, err := s.call(t, "body is not logged")
	require.ErrorIs(t, err, apierr.OrderNotFound)
	require.Eventually(t, func() bool { return strings.Count(s.logs.String(), "\n") == 1 }, time.Minute, time.Millisecond)
	line := s.logs.String()
	for _, part := range []string{
		`"procedure":"` + say + `"`, `"caller":"claims"`, `"token_id":"`, `"code":"not_found"`, `"error_code":"ORDER_NOT_FOUND"`,
		`"duration_ms":`, "cause for the log",
	} {
		require.Contains(t, line, part)
	}
	require.NotContains(t, line, "body is not logged")

	require.Len(t, s.recorder.Ended(), 2)
	server, client := s.recorder.Ended()[0], s.recorder.Ended()[1]
	require.Equal(t, client.SpanContext().SpanID(), server.Parent().SpanID())
	require.Contains(t, line, `"trace_id":"`+client.SpanContext().TraceID().String()+`"`)
	require.Contains(t, line, `"span_id":"`+server.SpanContext().SpanID().String()+`"`)

	labels := []string{say, "not_found", "ORDER_NOT_FOUND"}
	require.InDelta(t, 1, testutil.ToFloat64(s.tel.Counter(telemetry.RPCServerRequests).WithLabelValues(labels...)), 0)
	require.InDelta(t, 1, testutil.ToFloat64(s.tel.Counter(telemetry.RPCClientRequests).WithLabelValues(labels...)), 0)
	require.Equal(t, 1, testutil.CollectAndCount(s.tel.Histogram(telemetry.RPCServerDuration)))
	require.Equal(t, 1, testutil.CollectAndCount(s.tel.Histogram(telemetry.RPCClientDuration)))
}

// The id of a token is in the log line of its call, so that a leaked token can be revoked individually. The token is not.
func TestMux_logLineNamesTheToken(t *testing.T) {
	t.Parallel()
	token, err := rpc.NewToken(rpctest.As("operator", "orders"), time.Hour)
	require.NoError(t, err)
	s := serve(t, echo)
	header := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token.Text}}
	require.Equal(t, http.StatusOK, s.post(t, say, `"hello"`, header).status)
	require.Eventually(t, func() bool { return strings.Count(s.logs.String(), "\n") == 1 }, time.Minute, time.Millisecond)
	require.Contains(t, s.logs.String(), `"token_id":"`+token.ID+`"`)
	require.NotContains(t, s.logs.String(), token.Text)
}

// The history of what a call changes names its request: that of the caller, or a new one if it names none or one that is not safe
// in logs. A service that calls another one on behalf of a request passes it on.
func TestMux_requestID(t *testing.T) {
	t.Parallel()
	s := serve(t, func(ctx context.Context, _ *text) (*text, error) {
		return wrapperspb.String(actor.Of(ctx).RequestID), nil
	})
	for sent, isKept := range map[string]bool{"request-1": true, "": false, "a b": false, strings.Repeat("x", 65): false} {
		header := curlHeader(t)
		if sent != "" {
			header.Set(actor.RequestIDHeader, sent)
		}
		got := strings.Trim(s.post(t, say, `""`, header).body, "\"\n")
		require.Equal(t, isKept, got == sent, "%q", sent)
		require.NotEmpty(t, got)
		require.Contains(t, s.logs.String(), `"request_id":"`+got+`"`)
	}
	ctx := actor.NewContext(t.Context(), actor.Actor{By: actor.Seller, RequestID: "of-the-seller"})
	response, err := s.client(t, s.url).CallUnary(ctx, connect.NewRequest(wrapperspb.String("")))
	require.NoError(t, err)
	require.Equal(t, "of-the-seller", response.Msg.GetValue())
}
