package rpc

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/telemetry"
)

const (
	dialTimeout = 2 * time.Second // unless Config says otherwise
	// idleConnections is the maximum of idle connections per peer; with the default of two, concurrent calls constantly open and
	// close connections.
	idleConnections = 64
	// idleTimeout is shorter than the time after which servers close idle connections, so that a call never uses one that the server
	// is closing.
	idleTimeout = 60 * time.Second
)

// Client has the settings for generated clients:
//
//	lines := ordersv1connect.NewClaimLinesClient(client.HTTP, url, client.Options)
type Client struct {
	// HTTP is the pooled client. Call its CloseIdleConnections at the end.
	HTTP *http.Client
	// Options are the options for credential, deadline, spans, errors and limits.
	Options connect.ClientOption
}

// NewClient returns the client settings for calls of an identity, which renews its tokens automatically. It
// fails as NewToken does, and when the authorities of Config.TLS cannot be read.
func NewClient(config Config, identity Identity, tel *telemetry.Telemetry) (*Client, error) {
	key, err := identity.open()
	if err != nil {
		return nil, err
	}
	defaults.Fill(&config)
	tracing, err := newTracing(tel)
	if err != nil {
		return nil, err
	}
	client, err := newHTTPClient(config, tel)
	if err != nil {
		return nil, err
	}
	out := &outbound{config: config, tel: tel, tokens: &tokenSource{key: key, identity: identity}}
	return &Client{
		HTTP: client,
		Options: connect.WithClientOptions(
			connect.WithInterceptors(connect.UnaryInterceptorFunc(out.around), tracing),
			connect.WithReadMaxBytes(maxMessageBytes),
			connect.WithSendMaxBytes(maxMessageBytes),
		),
	}, nil
}

// newHTTPClient returns a client for peers inside the cluster: HTTP/1.1, no proxy, no redirects, many idle connections.
// It has no time-out, because every call has a deadline.
func newHTTPClient(config Config, tel *telemetry.Telemetry) (*http.Client, error) {
	dialer := &net.Dialer{Timeout: cmp.Or(config.Dial, dialTimeout)}
	secured, err := config.TLS.Dialer(dialer, tel.Logger)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext:         dialer.DialContext,
			DialTLSContext:      secured,
			MaxIdleConnsPerHost: idleConnections,
			IdleConnTimeout:     idleTimeout,
			TLSHandshakeTimeout: dialer.Timeout,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

type outbound struct {
	config Config
	tel    *telemetry.Telemetry
	tokens *tokenSource
}

// around adds credential, deadline and the id of the request that the call is made for, counts the call and converts its error to
// a row of the error table.
func (o *outbound) around(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
		start := time.Now()
		header, err := o.tokens.header(start)
		if err != nil {
			return nil, apierr.Internal.Because(err)
		}
		request.Header().Set("Authorization", header)
		if id := actor.Of(ctx).RequestID; id != "" {
			request.Header().Set(actor.RequestIDHeader, id)
		}
		limited, cancel := o.limit(ctx)
		defer cancel()
		response, err := next(limited, request)
		code := codeOK
		if err != nil {
			code = connect.CodeOf(err).String()
			err = fromWire(ctx, err)
			response = nil
		}
		o.count(request.Spec().Procedure, code, err, time.Since(start))
		return response, err
	}
}

// limit gives a call without a deadline the default one.
func (o *outbound) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, o.config.Timeout)
}

func (o *outbound) count(procedure, code string, err error, elapsed time.Duration) {
	errorCode := ""
	var row *apierr.Error
	if errors.As(err, &row) {
		errorCode = string(row.Code)
	}
	o.tel.Counter(telemetry.RPCClientRequests).WithLabelValues(procedure, code, errorCode).Inc()
	o.tel.Histogram(telemetry.RPCClientDuration).WithLabelValues(procedure).Observe(elapsed.Seconds())
}
