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
	"sellerapi.dev/proto/clients/postman"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
	"sellerapi.dev/proto/openapi/site"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/callers"
	"sellerapi.dev/services/gateway/internal/held"
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
	// Held holds calls that wait; nil if none may.
	Held *held.Table
	// BodyMemory limits the bytes of request bodies held at once; 0 means DefaultBodyMemory.
	BodyMemory int64
	// BodyTimeout is the time after which the minimum speed of a body applies; 0 means two seconds.
	BodyTimeout time.Duration
	// RefusedCalls limits the calls of an address without a valid key in a window; 0: no limit.
	RefusedCalls int
	// Site holds the settings shown on the developer pages.
	Site site.Settings
	// Sandbox are the operations of the sandbox; none in a live environment.
	Sandbox []operation.Operation
	// TrustedProxies are the proxies whose X-Forwarded-For is used; without any, the header is ignored.
	TrustedProxies []netip.Prefix
	// Requests, when set, answers list_requests; otherwise its path is unknown.
	Requests *Requests
	// Answered, when set, gets the facts of each call, see web.Options.
	Answered func(*gin.Context, *web.Facts)
}

// New returns the handler of the public port: every operation of the operation table, and their documentation.
func New(options Options) http.Handler { return draining(Compressed(newEngine(options))) }

// newEngine returns the engine with all routes.
func newEngine(options Options) *gin.Engine {
	engine := web.NewEngine(web.Options{
		Service: "gateway", Telemetry: options.Telemetry, Public: true,
		TrustedProxies: options.TrustedProxies, Answered: options.Answered,
	})
	keys := newAuthenticator(options.Verifier, options.Telemetry)
	pipeline := newPipeline(options, keys)
	for _, op := range append(operation.All(), options.Sandbox...) {
		if op.Name == operation.ListRequests && options.Requests == nil {
			continue
		}
		engine.Handle(op.Method, op.Path, pipeline.handler(op))
	}
	if len(options.Sandbox) > 0 {
		engine.GET(operation.SandboxBase+"/openapi.yaml", ready(openapi.Sandbox()))
	}
	describe(engine, options.Site)
	return engine
}

func describe(engine *gin.Engine, settings site.Settings) {
	const document = operation.Base + "/openapi.json"
	engine.GET(document, ready(openapi.NewAddressed(openapi.JSON)))
	engine.GET(operation.Base+"/openapi.yaml", ready(openapi.NewAddressed(openapi.YAML)))
	reference := docs.New(document, readsKorean)
	for _, path := range reference.Paths() {
		engine.GET(path, ready(reference))
	}
	engine.GET(site.Base+"/"+postman.Name, ready(requests()))
	pages := site.New(settings)
	for _, path := range []string{site.Base, site.Base + "/:page", site.Base + "/:page/:part", site.Base + "/:page/:part/:code"} {
		engine.GET(path, guides(pages))
	}
	engine.NoRoute(lead)
}

// requests serves a file with the calls of the interface, to which the guides link.
func requests() http.HandlerFunc {
	collection := openapi.NewAddressed(postman.Collection)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="`+postman.Name+`"`)
		collection.ServeHTTP(w, r)
	}
}

// readsKorean reports whether a browser asks for Korean first.
func readsKorean(r *http.Request) bool {
	return apierr.ParseAcceptLanguage(r.Header.Get("Accept-Language")) == apierr.Korean
}

// guides serves the developer pages; a path without a page is led on.
func guides(pages *site.Site) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Writer.Header().Set(gzhttp.HeaderNoCompression, "1") // removed before the answer is sent
		c.Writer.Header().Del("Cache-Control")
		if !pages.Serve(c.Writer, c.Request) {
			c.Writer.Header().Del(gzhttp.HeaderNoCompression)
			c.Writer.Header().Set("Cache-Control", "no-store")
			lead(c)
		}
	}
}

// lead redirects a browser from / to the developer pages, and from a page with a slash at the end to the page. Programs, which
// do not ask for HTML, and every path of the interface get the same answer as any other unknown path: the interface never
// redirects.
func lead(c *gin.Context) {
	asked := c.Request.URL.EscapedPath()
	to := asked
	switch {
	case to == "/":
		to = site.Base
	case strings.HasPrefix(to, site.Base+"/"):
		to = strings.TrimSuffix(to, "/")
	}
	if to == asked || c.Request.Method != http.MethodGet || !strings.Contains(c.GetHeader("Accept"), "text/html") {
		web.NotFound(c)
		return
	}
	c.Header("Vary", "Accept")
	c.Redirect(http.StatusFound, to)
}

// ready serves precompressed content, which is not compressed again for each caller, who needs no key.
func ready(content http.Handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Writer.Header().Set(gzhttp.HeaderNoCompression, "1") // removed before the answer is sent
		content.ServeHTTP(c.Writer, c.Request)
	}
}

func (p *pipeline) handler(op operation.Operation) gin.HandlerFunc {
	handle := p.read(op)
	if op.Class == operation.Process {
		handle = p.process(op)
	}
	return func(c *gin.Context) {
		web.FactsOf(c).Operation = op.Name
		handle(c)
	}
}
