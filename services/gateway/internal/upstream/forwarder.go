package upstream

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/upstream/http1"
)

// errNotConfigured is the cause of the 503 of operations whose service has no address.
var errNotConfigured = errors.New("no address configured for this service")

// Options configure a Forwarder.
type Options struct {
	// Addresses are scheme and host of the services; a service without one is answered with 503.
	Addresses map[operation.Service]*url.URL
	// Longest limits the time of every operation; 0 leaves each its own limit in the operation table.
	Longest time.Duration
	// DialTLS connects to services with an https address; nil uses the system's root certificates.
	DialTLS   certificate.Dial
	Signer    *principal.Signer
	Telemetry *telemetry.Telemetry
}

// Forwarder forwards requests to the services. It is safe for concurrent use.
type Forwarder struct {
	services   map[operation.Service]*service
	longest    time.Duration
	signer     *principal.Signer
	propagator propagation.TextMapPropagator
	tracer     trace.Tracer
	requests   *prometheus.CounterVec
}

type service struct {
	address    *url.URL
	connection *http1.Transport
	duration   prometheus.Observer
	outage     outage
}

// New returns a forwarder to the services.
func New(options Options) *Forwarder {
	tel := options.Telemetry
	f := &Forwarder{
		services:   map[operation.Service]*service{},
		longest:    options.Longest,
		signer:     options.Signer,
		propagator: tel.Propagator,
		tracer:     tel.Tracer("sellerapi.dev/services/gateway/internal/upstream"),
		requests:   tel.Counter(telemetry.UpstreamRequests),
	}
	for name, address := range options.Addresses {
		f.services[name] = &service{
			address: address, connection: newTransport(address, options.DialTLS),
			duration: tel.Histogram(telemetry.UpstreamDuration).WithLabelValues(string(name)),
		}
	}
	return f
}

// Close closes the idle connections.
func (f *Forwarder) Close() {
	for _, to := range f.services {
		to.connection.CloseIdle()
	}
}

// Call is one request to a service.
type Call struct {
	Operation operation.Operation
	Caller    principal.Principal
	// Inbox identifies the request for the service's inbox; empty for reads.
	Inbox string
	// Answered, if set, is called once with the headers of the service's answer before any of it is sent; it may set headers of the
	// client's answer.
	Answered func(http.Header)
	// Refused, if set, is called with each part of the body of an answer that is a refusal. It must not keep the part.
	Refused func(part []byte)
	// BrokeOff, if set, is called when the service broke off an answer that had begun; not when the client left.
	BrokeOff func()
}

// Forward sends r to the service of the operation on behalf of the caller and streams the answer to w. The body of r must be in
// memory, not on the wire, so that a slow client never holds a connection to a service. An error is an *apierr.Error, and nothing
// has been written then. If the answer broke off after it had begun, the failure is logged and Forward panics with
// http.ErrAbortHandler, which aborts the client's connection.
func (f *Forwarder) Forward(w http.ResponseWriter, r *http.Request, call Call) error {
	truncated, err := f.forward(w, r, call)
	if truncated {
		web.WriteFailure(w, r, err) // only logged, because the answer has begun
		panic(http.ErrAbortHandler)
	}
	return err
}

// Answer is a complete answer of a service.
type Answer struct {
	Status int
	// Header holds only the headers for the client.
	Header http.Header
	Body   []byte
}

// Fetch is Forward for a complete answer: one that broke off is an error like any other.
func (f *Forwarder) Fetch(r *http.Request, call Call) (Answer, error) {
	held := &holder{header: http.Header{}}
	if _, err := f.forward(held, r, call); err != nil {
		return Answer{}, err
	}
	return Answer{Status: held.status, Header: held.header, Body: held.body.Bytes()}, nil
}

// forward performs the round trip. It reports whether an incomplete part of an answer was written to w; there is an error then.
func (f *Forwarder) forward(w http.ResponseWriter, r *http.Request, call Call) (truncated bool, err error) {
	op := call.Operation
	to, ok := f.services[op.Service]
	if !ok {
		f.requests.WithLabelValues(string(op.Service), outcomeUnavailable).Inc()
		return false, apierr.Unavailable.Because(errNotConfigured)
	}
	start := time.Now()
	ctx, span := f.startSpan(r.Context(), op)
	defer span.End()
	trip := &roundTrip{call: call, deadline: start.Add(f.timeout(op))}
	answer := &answerWriter{client: w, answered: call.Answered, refused: call.Refused}
	trip.run(ctx, to.connection, f.inner(ctx, r, call, to.address), answer)

	outcome, err := trip.outcome(r.Context(), answer.begun)
	if outcome == outcomeUnavailable {
		err = apierr.From(err).After(to.outage.goesOn(time.Now()))
	} else if trip.status > 0 {
		to.outage.ends()
	}
	f.requests.WithLabelValues(string(op.Service), outcome).Inc()
	to.duration.Observe(time.Since(start).Seconds())
	endSpan(span, trip.status, outcome, err)
	truncated = answer.begun && err != nil
	if truncated && outcome != outcomeClientGone && call.BrokeOff != nil {
		call.BrokeOff()
	}
	return truncated, err
}

func (f *Forwarder) timeout(op operation.Operation) time.Duration {
	if f.longest > 0 {
		return min(f.longest, op.Timeout)
	}
	return op.Timeout
}

func (f *Forwarder) inner(ctx context.Context, r *http.Request, call Call, address *url.URL) *http.Request {
	target := *r.URL
	target.Scheme, target.Host, target.User, target.Fragment = address.Scheme, address.Host, nil, ""
	header := headersFor(r)
	header["User-Agent"] = noUserAgent
	header[web.RequestIDHeader] = []string{web.RequestID(ctx)}
	if call.Inbox != "" {
		header[inbox.Header] = []string{call.Inbox}
	}
	f.propagator.Inject(ctx, propagation.HeaderCarrier(header))
	request := &http.Request{
		Method: r.Method, URL: &target, Host: address.Host, Header: header,
		Body: r.Body, GetBody: r.GetBody, ContentLength: r.ContentLength,
	}
	to := trust.Party(call.Operation.Service)
	header[principal.Header] = []string{f.signer.Sign(to, principal.Outgoing(request), bodyOf(r), call.Caller, time.Now())}
	return request
}

// noUserAgent prevents net/http from adding its User-Agent.
var noUserAgent = []string{""}

// bodyOf returns the digest of the body in memory; no other is sent.
func bodyOf(r *http.Request) principal.BodyDigest {
	if r.GetBody == nil {
		return principal.BodyDigest{}
	}
	body, err := r.GetBody()
	if err != nil {
		return principal.BodyDigest{}
	}
	defer func() { _ = body.Close() }()
	digest, err := principal.DigestFrom(body)
	if err != nil {
		return principal.BodyDigest{} // the service refuses the call
	}
	return digest
}

func (f *Forwarder) startSpan(ctx context.Context, op operation.Operation) (context.Context, trace.Span) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, noop.Span{}
	}
	return f.tracer.Start(ctx, "forward "+string(op.Service), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(
			attribute.String("http.request.method", op.Method),
			attribute.String("peer.service", string(op.Service)),
			attribute.String("operation", op.Name),
		))
}

func endSpan(span trace.Span, status int, outcome string, err error) {
	if !span.IsRecording() {
		return
	}
	if status != 0 {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
	}
	if err != nil {
		span.SetStatus(codes.Error, outcome)
		span.RecordError(err)
	}
}
