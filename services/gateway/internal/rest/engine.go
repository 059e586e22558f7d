package rest

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzhttp"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/callers"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/site"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// Options are the dependencies and settings of the public API.
type Options struct {
	Verifier  *apikey.Verifier
	Admitter  *admission.Admitter
	Forwarder *upstream.Forwarder
	Telemetry *telemetry.Telemetry
	// Callers, when set, records the callers.
	Callers *callers.Board
	// InProgress, when set, tracks the idempotency keys in progress.
	InProgress *idempotency.InProgress
	// BodyMemory is how many bytes of request bodies are held at once; 0 stands for DefaultBodyMemory.
	BodyMemory int64
	// BodyTimeout is the time before a body has to keep its pace; 0 stands for two seconds.
	BodyTimeout time.Duration
	// RefusedCalls is how many calls without a good key an address may make in a window; 0: any number.
	RefusedCalls int
	// Site is what developers read about the installation.
	Site site.Settings
	// TrustedProxies are believed in X-Forwarded-For; without any, no header is.
	TrustedProxies []netip.Prefix
}

// New returns the handler of the public port: every operation of the operation table, and what describes them.
func New(options Options) http.Handler { return leaving(Compressed(newEngine(options))) }

// newEngine returns the engine with all routes.
func newEngine(options Options) *gin.Engine {
	engine := web.NewEngine(web.Options{Service: "gateway", Telemetry: options.Telemetry, Public: true, TrustedProxies: options.TrustedProxies})
	keys := newAuthenticator(options.Verifier, options.Telemetry)
	pipeline := newPipeline(options, keys)
	for _, op := range operation.All() {
		engine.Handle(op.Method, op.Path, pipeline.handler(op))
	}
	describe(engine, options.Site)
	return engine
}

// describe adds what tells people and programs about the interface; it needs no key.
func describe(engine *gin.Engine, settings site.Settings) {
	const document = operation.Base + "/openapi.json"
	engine.GET(document, ready(openapi.NewAddressed(openapi.JSON)))
	engine.GET(operation.Base+"/openapi.yaml", ready(openapi.NewAddressed(openapi.YAML)))
	reference := docs.New(document, readsKorean)
	for _, path := range reference.Paths() {
		engine.GET(path, ready(reference))
	}
	pages := site.New(settings)
	for _, path := range []string{site.Base, site.Base + "/:page", site.Base + "/:page/:part", site.Base + "/:page/:part/:code"} {
		engine.GET(path, guides(pages))
	}
	engine.NoRoute(lead)
}

// readsKorean reports whether a browser asks for Korean first.
func readsKorean(r *http.Request) bool {
	return apierr.ParseAcceptLanguage(r.Header.Get("Accept-Language")) == apierr.Korean
}

// guides serves the pages for developers, and answers like any other path where there is none.
func guides(pages *site.Site) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Writer.Header().Set(gzhttp.HeaderNoCompression, "1") // taken out on the way
		c.Writer.Header().Del("Cache-Control")
		if !pages.Serve(c.Writer, c.Request) {
			c.Writer.Header().Del(gzhttp.HeaderNoCompression)
			c.Writer.Header().Set("Cache-Control", "no-store")
			web.NotFound(c)
		}
	}
}

// lead takes a browser from where people begin to the pages for them. Programs, which do not ask for HTML, are answered there as
// anywhere else: nothing of the interface redirects.
func lead(c *gin.Context) {
	switch c.Request.URL.Path {
	case "/", site.Base + "/", operation.Base, operation.Base + "/":
		if c.Request.Method == http.MethodGet && strings.Contains(c.GetHeader("Accept"), "text/html") {
			c.Header("Vary", "Accept")
			c.Redirect(http.StatusFound, site.Base)
			return
		}
	}
	web.NotFound(c)
}

// ready serves what comes compressed already: it is not compressed anew for each caller, who needs no key.
func ready(content http.Handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Writer.Header().Set(gzhttp.HeaderNoCompression, "1") // taken out on the way
		content.ServeHTTP(c.Writer, c.Request)
	}
}

// handler is the way of an operation's class through the pipeline.
func (p *pipeline) handler(op operation.Operation) gin.HandlerFunc {
	if op.Class == operation.Process {
		return p.process(op)
	}
	return p.read(op)
}
