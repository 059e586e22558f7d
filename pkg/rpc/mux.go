package rpc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/otelconnect"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
)

// Mux serves several RPC services on one port. Register the generated handlers with its options:
//
//	mux.Handle(ordersv1connect.NewIntakeHandler(intake, mux.Options()))
//
// gRPC callers need cleartext HTTP/2, which the listener must allow (service.Listener.H2C).
type Mux struct {
	config Config
	access accessTable
	tokens *verifier
	tel    *telemetry.Telemetry
	routes *http.ServeMux
	option connect.HandlerOption
	errors *connect.ErrorWriter
}

// NewMux returns a mux without services, which takes tokens whose audience is name. It fails when no issuer of tokens is
// trusted: every call would be refused.
func NewMux(name string, trusted trust.PublicKeys, config Config, tel *telemetry.Telemetry) (*Mux, error) {
	tokens, err := newVerifier(name, trusted, config.Revoked)
	if err != nil {
		return nil, err
	}
	defaults.Fill(&config)
	tracing, err := newTracing(tel)
	if err != nil {
		return nil, err
	}
	m := &Mux{
		config: config, access: maps.Clone(access), tokens: tokens, tel: tel, routes: http.NewServeMux(),
		errors: connect.NewErrorWriter(),
	}
	m.option = connect.WithHandlerOptions(
		connect.WithRequestGate(m.admit),
		strictCodecs(),
		connect.WithInterceptors(tracing, connect.UnaryInterceptorFunc(m.around)),
		connect.WithReadMaxBytes(maxMessageBytes),
		connect.WithSendMaxBytes(maxMessageBytes),
		connect.WithCompressMinBytes(compressFromBytes),
	)
	return m, nil
}

// Callers are authenticated, so their trace is continued and not only linked.
func newTracing(tel *telemetry.Telemetry) (*otelconnect.Interceptor, error) {
	tracing, err := otelconnect.NewInterceptor(
		otelconnect.WithTracerProvider(tel.TracerProvider),
		otelconnect.WithMeterProvider(tel.MeterProvider),
		otelconnect.WithPropagator(tel.Propagator),
		otelconnect.WithTrustRemote(),
		otelconnect.WithoutMetrics(),
	)
	if err != nil {
		return nil, fmt.Errorf("prepare spans of calls: %w", err)
	}
	return tracing, nil
}

// Options returns what every handler of this mux must be made with: credential, deadline, spans, errors, limits. The recorders
// are called for each call that the access table denies.
func (m *Mux) Options(recorders ...Recorder) connect.HandlerOption {
	return connect.WithHandlerOptions(connect.WithRequestGate(recording(recorders)), m.option)
}

// Handle adds a service, as returned by the generated New…Handler.
func (m *Mux) Handle(path string, handler http.Handler) { m.routes.Handle(path, handler) }

// ServeHTTP implements http.Handler.
func (m *Mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Unless a later step says otherwise, no message was decoded.
	c := &call{start: time.Now(), procedure: procedureUnknown, code: connect.CodeInvalidArgument.String()}
	defer c.finish(r.Context(), m.tel)
	handler, pattern := m.routes.Handler(r)
	if pattern == "" {
		c.code, c.row = connect.CodeUnimplemented.String(), apierr.RouteNotFound.Because(nil)
		m.refuse(w, r)
		return
	}
	handler.ServeHTTP(w, r.WithContext(telemetry.CollectNotes(context.WithValue(r.Context(), callKey{}, c), &c.notes)))
	c.report(r.Context(), nil)
}

// refuse answers an unknown path, in the caller's protocol if it is recognized.
func (m *Mux) refuse(w http.ResponseWriter, r *http.Request) {
	err := connect.NewError(connect.CodeUnimplemented, errors.New("no such service or procedure"))
	err.Meta().Set(headerErrorCode, string(apierr.RouteNotFound))
	if m.errors.IsSupported(r) && m.errors.Write(w, r, err) == nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusNotFound)
	_, _ = fmt.Fprintf(w, `{"code":%q,"message":%q}`, err.Code(), err.Message())
}

// admit checks the credential, and that the caller may call the procedure, before the message is read. A denied call may still be
// passed on to read its message, see deny.
func (m *Mux) admit(ctx context.Context, spec connect.Spec, _ connect.Peer, header http.Header) (context.Context, error) {
	c := callFrom(ctx)
	c.procedure = spec.Procedure
	said, err := m.tokens.verify(header.Get("Authorization"))
	if err != nil {
		c.code, c.row = connect.CodeUnauthenticated.String(), apierr.Unauthenticated.Because(err)
		sent := connect.NewError(connect.CodeUnauthenticated, err)
		sent.Meta().Set(headerErrorCode, string(apierr.Unauthenticated))
		return nil, sent
	}
	caller := said.Subject
	c.caller, c.token = caller, said.ID
	if !m.access.allows(caller, spec.Procedure) {
		if err := c.deny(spec); err != nil {
			return nil, err
		}
	}
	c.requestID = actor.ChooseRequestID(header.Get(actor.RequestIDHeader))
	ctx = actor.NewContext(ctx, actor.Actor{RequestID: c.requestID})
	return context.WithValue(ctx, callerKey{}, caller), nil
}

// around is the innermost interceptor: deadline, panics, errors.
func (m *Mux) around(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
		c := callFrom(ctx)
		c.span = trace.SpanContextFromContext(ctx)
		limited, cancel := m.limit(ctx)
		defer cancel()
		handle := next
		if c.refused != nil {
			handle = c.refusing
		} else {
			c.name(ctx, request.Any())
		}
		response, err := guard(handle)(limited, request)
		if err == nil {
			c.code = codeOK
			return response, nil
		}
		sent, row := toWire(ctx, err)
		c.code, c.row = sent.Code().String(), row
		return nil, sent
	}
}

// limit sets the deadline of the call: the caller's, but at most the cap.
func (m *Mux) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithTimeout(ctx, maxTimeout)
	}
	return context.WithTimeout(ctx, m.config.Timeout)
}

// guard turns a panic of the handler into an error with the stack as its cause, so that one bad call does not look like a
// broken connection. http.ErrAbortHandler is passed on.
func guard(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (response connect.AnyResponse, err error) {
		defer func() {
			switch problem := recover(); problem {
			case nil:
			case http.ErrAbortHandler:
				panic(problem)
			default:
				response, err = nil, apierr.Internal.Because(fmt.Errorf("panic: %v\n%s", problem, debug.Stack()))
			}
		}()
		return next(ctx, request)
	}
}
