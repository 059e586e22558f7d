package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
)

// unmatched is the route label of requests that match no route; their paths
// would be labels without bound.
const unmatched = "unmatched"

// statusClientGone is logged and counted when the client disconnected before the
// response. It is never sent.
const statusClientGone = 499

// observer is the middleware that traces, logs, counts and recovers.
type observer struct {
	tracing  tracing
	public   bool
	logger   *slog.Logger
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	answered func(*gin.Context, *Facts) // may be nil
}

func newObserver(options Options) *observer {
	return &observer{
		tracing:  newTracing(options),
		public:   options.Public,
		logger:   options.Telemetry.Logger,
		requests: options.Telemetry.Counter(telemetry.HTTPRequests),
		duration: options.Telemetry.Histogram(telemetry.HTTPDuration),
		inFlight: options.Telemetry.Gauge(telemetry.HTTPInFlight).WithLabelValues(),
		answered: options.Answered,
	}
}

// serve runs the rest of the chain and reports once, however the chain ends.
func (o *observer) serve(c *gin.Context) {
	began := time.Now()
	ctx, span := o.tracing.start(c)
	defer span.End()
	rec := newRecord(c.Request)
	rec.Began = began
	if !o.public { // a public engine forwards, and learns nothing about what it forwards
		ctx = telemetry.CollectNotes(ctx, &rec.notes)
	}
	rec.attach(ctx, c)
	if o.public {
		linkClientTrace(c.Request, rec, span)
	}
	header := c.Writer.Header()
	header.Set(RequestIDHeader, rec.RequestID)
	header.Set("Cache-Control", "no-store")
	o.inFlight.Inc()
	defer func() {
		abort := recoverPanic(c, rec, recover())
		o.inFlight.Dec()
		rec.Status, rec.Took = outcome(c, rec, abort), time.Since(rec.Began)-rec.Held
		rec.Numbers = o.numbersOf(c, rec)
		finish(c.Request.Context(), rec, max(c.Writer.Size(), 0))
		o.report(c, rec, abort)
		if abort {
			panic(http.ErrAbortHandler)
		}
	}()
	c.Next()
}

// recoverPanic answers a panic with the 500 envelope. It returns true when the
// connection must be aborted instead: when the handler requested that
// (http.ErrAbortHandler), and when part of another response was already sent,
// which the client must not mistake for a complete one.
func recoverPanic(c *gin.Context, rec *record, panicked any) (abort bool) {
	if panicked == nil {
		return false
	}
	err, isError := panicked.(error)
	if isError && errors.Is(err, http.ErrAbortHandler) {
		return true
	}
	rec.stack = debug.Stack()
	started := c.Writer.Written()
	Fail(c, apierr.Internal.Because(fmt.Errorf("panic: %v", panicked)))
	return started
}

func (o *observer) report(c *gin.Context, rec *record, aborted bool) {
	route, method := routeOf(c), knownMethod(c.Request.Method)
	o.count(c.Request.Context(), route, method, rec)
	o.log(c, route, method, rec, aborted)
	if o.answered != nil {
		o.answered(c, &rec.Facts)
	}
}

func (o *observer) log(c *gin.Context, route, method string, rec *record, aborted bool) {
	level := slog.LevelInfo
	if rec.Status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	attrs := make([]slog.Attr, 0, 16)
	attrs = append(attrs,
		slog.String("request_id", rec.RequestID),
		slog.String("method", method),
		slog.String("route", route),
		slog.Int("status", rec.Status),
		slog.Float64("duration_ms", float64(rec.Took.Microseconds())/1000),
		slog.Int("bytes", max(c.Writer.Size(), 0)),
	)
	if rec.Held > 0 {
		attrs = append(attrs, slog.Float64("held_ms", float64(rec.Held.Microseconds())/1000))
	}
	if aborted {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	attrs = rec.notes.Append(rec.Numbers.Append(appendCaller(attrs, rec)), rec.Numbers)
	if rec.ClientTrace != "" {
		attrs = append(attrs, slog.String("client_trace_id", rec.ClientTrace))
	}
	o.logger.LogAttrs(c.Request.Context(), level, "request", appendFailure(attrs, rec)...)
}

// outcome returns the status to report. An interrupted answer is reported by
// the error that interrupted it, whatever status was sent.
func outcome(c *gin.Context, rec *record, aborted bool) int {
	switch {
	case clientGone(c.Request.Context(), rec, aborted):
		return statusClientGone
	case aborted && rec.stack != nil:
		return http.StatusInternalServerError
	case aborted:
		return http.StatusBadGateway
	default:
		return c.Writer.Status()
	}
}

func (o *observer) count(ctx context.Context, route, method string, rec *record) {
	wireCode := ""
	if rec.Failure != nil {
		wireCode = rec.Failure.Code.WireCode()
	}
	o.requests.WithLabelValues(route, method, strconv.Itoa(rec.Status), wireCode).Inc()
	observe(o.duration.WithLabelValues(route, method), rec.Took, trace.SpanContextFromContext(ctx))
}

// observe records a duration, with its trace as an exemplar if it was sampled.
func observe(durations prometheus.Observer, took time.Duration, span trace.SpanContext) {
	with, ok := durations.(prometheus.ExemplarObserver)
	if !ok || !span.IsSampled() {
		durations.Observe(took.Seconds())
		return
	}
	with.ObserveWithExemplar(took.Seconds(), prometheus.Labels{"trace_id": span.TraceID().String()})
}

// clientGone reports whether a failure only means that the client no longer waits for the
// answer.
func clientGone(ctx context.Context, rec *record, aborted bool) bool {
	if !errors.Is(ctx.Err(), context.Canceled) || rec.stack != nil {
		return false
	}
	return aborted || (rec.Failure != nil && rec.Failure.Code.Status() >= http.StatusInternalServerError)
}

func appendCaller(attrs []slog.Attr, rec *record) []slog.Attr {
	if rec.Seller == uuid.Nil {
		return attrs
	}
	return append(attrs, slog.String("seller_id", rec.Seller.String()), slog.String("key_prefix", rec.KeyPrefix))
}

// numbersOf returns the order, claim or inquiry that the path names, so that the life of one can be read. A path of which the
// service says that nothing has this name, that came without a good key, or whose name was not looked up holds untrusted client
// input.
func (o *observer) numbersOf(c *gin.Context, rec *record) telemetry.Numbers {
	if rec.Seller == uuid.Nil || o.refused(rec) {
		return telemetry.Numbers{}
	}
	for _, param := range c.Params {
		if slices.Contains(numberNames, param.Key) {
			if number, ok := PathValue(c, param.Key); ok {
				return telemetry.Number(param.Key, number)
			}
		}
	}
	return telemetry.Numbers{}
}

// refused reports whether what the path names was not found or not looked up. A public engine looks nothing up: its own
// failures, unlike answers that it forwards, say nothing about the path. Neither do refusals of an idempotency key, which is
// examined first.
func (o *observer) refused(rec *record) bool {
	if failure := rec.Failure; failure != nil {
		keyRefused := failure.Code == apierr.IdempotencyKeyReused || failure.Code == apierr.IdempotencyInProgress
		if o.public || keyRefused {
			return true
		}
	}
	return rec.Status >= http.StatusBadRequest && rec.Status < http.StatusInternalServerError && rec.Status != http.StatusConflict
}

// numberNames are the path parameters that name an order, a claim or an inquiry.
var numberNames = telemetry.NumberNames()

// appendFailure adds the code and the cause, which only operators see.
func appendFailure(attrs []slog.Attr, rec *record) []slog.Attr {
	if rec.Failure == nil {
		return attrs
	}
	attrs = append(attrs, slog.String("error_code", string(rec.Failure.Code)))
	if rec.Failure.Cause != nil {
		attrs = append(attrs, slog.String("error", rec.Failure.Cause.Error()))
	}
	if rec.stack != nil {
		attrs = append(attrs, slog.String("stack", string(rec.stack)))
	}
	return attrs
}

// knownMethod limits the values of the method label; clients can send any word as a method.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	default:
		return "OTHER"
	}
}
