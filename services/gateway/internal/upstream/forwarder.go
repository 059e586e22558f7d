package upstream

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
)

// errNotConfigured is the cause of the 503 of operations whose service has no address.
var errNotConfigured = errors.New("no address configured for this service")

// Options are what a Forwarder stands on.
type Options struct {
	// Addresses are scheme and host of the services; one that is not among them answers 503.
	Addresses map[operation.Service]*url.URL
	// Longest bounds the time of every operation; 0 leaves each the time of its row.
	Longest time.Duration
	// DialTLS connects to services with an https address; nil trusts the authorities of the system.
	DialTLS   certificate.Dial
	Signer    *principal.Signer
	Telemetry *telemetry.Telemetry
}

// Forwarder carries requests to the services. It is safe for concurrent use.
type Forwarder struct {
	proxies    map[operation.Service]*httputil.ReverseProxy
	transports []*http.Transport
	longest    time.Duration
	signer     *principal.Signer
	propagator propagation.TextMapPropagator
	tracer     trace.Tracer
	requests   *prometheus.CounterVec
	duration   *prometheus.HistogramVec
}

// New returns a forwarder to the services.
func New(options Options) *Forwarder {
	tel := options.Telemetry
	f := &Forwarder{
		proxies:    map[operation.Service]*httputil.ReverseProxy{},
		longest:    options.Longest,
		signer:     options.Signer,
		propagator: tel.Propagator,
		tracer:     tel.Tracer("sellerapi.dev/services/gateway/internal/upstream"),
		requests:   tel.Counter(telemetry.UpstreamRequests),
		duration:   tel.Histogram(telemetry.UpstreamDuration),
	}
	buffers := newBufferPool()
	for name, address := range options.Addresses {
		transport := newTransport(options.DialTLS)
		f.transports = append(f.transports, transport)
		f.proxies[name] = &httputil.ReverseProxy{
			Rewrite:        func(p *httputil.ProxyRequest) { f.rewrite(p, address) },
			Transport:      transport,
			ModifyResponse: accepted,
			ErrorHandler:   failed,
			BufferPool:     buffers,
			// What the proxy would say is said by the exchange, once and with the request's id.
			ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
		}
	}
	return f
}

// Close gives up the idle connections.
func (f *Forwarder) Close() {
	for _, transport := range f.transports {
		transport.CloseIdleConnections()
	}
}

// Trip is one request to a service.
type Trip struct {
	Operation operation.Operation
	Caller    principal.Principal
	// Inbox names the request for the service's record of first answers; empty for reads.
	Inbox string
	// Answered, when set, is called once with the headers of the service's answer before anything of it goes out; it may
	// set headers of the client's answer.
	Answered func(http.Header)
	// BrokeOff, when set, is called when the service broke its answer off after it had begun; not when the client left.
	BrokeOff func()
}

// Forward sends r to the service of the operation on behalf of the caller and streams the answer to w. The body of r must
// be at hand, not on the wire, so that a slow client never holds a connection to a service. An error is an
// *apierr.Error, and nothing has been written then. When the answer broke off after it had begun, the failure is left
// for the log and Forward panics with http.ErrAbortHandler, which tears the client's connection down.
func (f *Forwarder) Forward(w http.ResponseWriter, r *http.Request, trip Trip) error {
	torn, err := f.carry(w, r, trip)
	if torn {
		web.WriteFailure(w, r, err) // only noted, because the answer has begun
		panic(http.ErrAbortHandler)
	}
	return err
}

// Answer is a service's answer that has come completely.
type Answer struct {
	Status int
	// Header holds only what a client gets.
	Header http.Header
	Body   []byte
}

// Fetch is Forward for an answer that is wanted whole: one that broke off is an error like any other.
func (f *Forwarder) Fetch(r *http.Request, trip Trip) (Answer, error) {
	held := &holder{header: http.Header{}}
	if _, err := f.carry(held, r, trip); err != nil {
		return Answer{}, err
	}
	return Answer{Status: held.status, Header: held.header, Body: held.body.Bytes()}, nil
}

// carry does the exchange. It reports whether part of an answer went to w that is not going to be whole; there is an
// error then.
func (f *Forwarder) carry(w http.ResponseWriter, r *http.Request, trip Trip) (torn bool, err error) {
	op := trip.Operation
	proxy, ok := f.proxies[op.Service]
	if !ok {
		f.requests.WithLabelValues(string(op.Service), outcomeUnavailable).Inc()
		return false, apierr.Unavailable.Because(errNotConfigured)
	}
	start := time.Now()
	ctx, cancel := context.WithTimeout(r.Context(), f.timeout(op))
	defer cancel()
	ctx, span := f.startSpan(ctx, op)
	defer span.End()
	e := &exchange{trip: trip}

	answer := newAnswerWriter(w, trip.Answered)
	aborted := serve(proxy, answer, inbound(e.begin(ctx), r))

	outcome, err := e.outcome(r.Context(), ctx, answer.begun, aborted)
	f.requests.WithLabelValues(string(op.Service), outcome).Inc()
	f.duration.WithLabelValues(string(op.Service)).Observe(time.Since(start).Seconds())
	endSpan(span, e.status, outcome, err)
	torn = answer.begun && aborted
	if torn && outcome != outcomeClientGone && trip.BrokeOff != nil {
		trip.BrokeOff()
	}
	return torn, err
}

// timeout is how long the service of an operation may take.
func (f *Forwarder) timeout(op operation.Operation) time.Duration {
	if f.longest > 0 {
		return min(f.longest, op.Timeout)
	}
	return op.Timeout
}

// serve runs the proxy and reports whether it gave up in the middle of the answer.
func serve(proxy *httputil.ReverseProxy, w http.ResponseWriter, r *http.Request) (aborted bool) {
	defer func() {
		switch problem := recover(); problem {
		case nil:
		case http.ErrAbortHandler:
			aborted = true
		default:
			panic(problem)
		}
	}()
	proxy.ServeHTTP(w, r)
	return false
}

// rewrite builds the inner request.
func (f *Forwarder) rewrite(p *httputil.ProxyRequest, address *url.URL) {
	e := exchangeOf(p.In)
	out := p.Out
	out.URL.Scheme, out.URL.Host, out.Host = address.Scheme, address.Host, address.Host
	out.URL.User, out.URL.Fragment = nil, ""
	out.URL.RawQuery, out.URL.ForceQuery = p.In.URL.RawQuery, p.In.URL.ForceQuery

	header := make(http.Header, 8)
	maps.Copy(header, p.In.Header) // see inbound
	header.Set(web.RequestIDHeader, web.RequestID(p.In.Context()))
	if e.trip.Inbox != "" {
		header.Set(inbox.Header, e.trip.Inbox)
	}
	f.propagator.Inject(out.Context(), propagation.HeaderCarrier(header))
	out.Header = header
	header.Set(principal.Header, f.signer.Sign(principal.Outgoing(out), bodyOf(p.In), e.trip.Caller, time.Now()))
}

// bodyOf is the digest of the body that is at hand; no other is sent.
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

// startSpan begins the span of the inner hop.
func (f *Forwarder) startSpan(ctx context.Context, op operation.Operation) (context.Context, trace.Span) {
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
