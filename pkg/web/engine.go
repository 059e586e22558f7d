package web

import (
	"net/netip"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/propagation"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
)

// Options are the options of an engine.
type Options struct {
	// Service names the service in spans.
	Service string
	// Telemetry receives logs, metrics and spans. It is required.
	Telemetry *telemetry.Telemetry
	// Public says that callers are untrusted: the trace context of a request is linked to and not continued.
	Public bool
	// TrustedProxies are believed in X-Forwarded-For; gin's ClientIP is the last address there that is none of them.
	TrustedProxies []netip.Prefix
	// Answered, when set, gets the facts of each request that was answered. It must not block or keep them.
	Answered func(*gin.Context, *Facts)
}

func (o Options) proxies() []string {
	texts := make([]string, 0, len(o.TrustedProxies))
	for _, proxy := range o.TrustedProxies {
		texts = append(texts, proxy.String())
	}
	return texts
}

func (o Options) propagator() propagation.TextMapPropagator {
	if o.Public {
		return noPropagation
	}
	return o.Telemetry.Propagator
}

func init() {
	// gin's debug mode prints routes and warnings to standard output. The mode is
	// a global of gin, so it is set once, before any engine exists.
	gin.SetMode(gin.ReleaseMode)
}

// NewEngine returns a gin engine that answers everything with the envelope:
// also unknown routes (404), wrong methods (405 with Allow, HEAD included) and
// panics (500). It never redirects, trusts no proxy header but those of Options.TrustedProxies,
// gives every request an id, a span, one log line and one count, and forbids caching.
func NewEngine(options Options) *gin.Engine {
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	engine.RedirectFixedPath = false
	engine.HandleMethodNotAllowed = true
	engine.ForwardedByClientIP = len(options.TrustedProxies) > 0
	engine.RemoteIPHeaders = []string{"X-Forwarded-For"}
	engine.UseEscapedPath = true
	engine.UnescapePathValues = false
	if err := engine.SetTrustedProxies(options.proxies()); err != nil {
		panic(err) // gin refuses only addresses that it cannot parse, and these were parsed
	}
	engine.Use(newObserver(options).serve)
	engine.NoRoute(NotFound)
	engine.NoMethod(func(c *gin.Context) { Fail(c, apierr.MethodNotAllowed) })
	return engine
}
