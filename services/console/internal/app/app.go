// Package app serves the pages of the console: it knows who has signed in, asks the gateway, and fills the views of package
// pages.
//
// Every address is a row of the table in routes.go, which says who may use it. The check of that row is the only one of roles: a
// handler runs for a person who may. Whose seller an id in an address belongs to is decided by the gateway, which gets the seller
// with each call, and answers for another seller's id as for one that does not exist.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/console/internal/origin"
	"sellerapi.dev/services/console/internal/pages"
	"sellerapi.dev/services/console/internal/session"
	"sellerapi.dev/services/console/internal/signin"
)

// Options are what the pages are made with.
type Options struct {
	Origin   origin.Origin
	Sessions *session.Sessions
	Provider *signin.Provider
	Keys     gatewayv1connect.KeysClient
	Requests gatewayv1connect.RequestsClient
	Webhooks gatewayv1connect.WebhooksClient
	// Records find records at the services that own them. Of a service without a row none is shown.
	Records   map[operation.Service]Find
	Telemetry *telemetry.Telemetry
	// TrustedProxies are believed in X-Forwarded-For.
	TrustedProxies []netip.Prefix
	// Fresh is how old a sign-in may be for which the text of a key is shown again.
	Fresh time.Duration
	// Docs is the address of the gateway as developers reach it; empty: pages link to no documentation.
	Docs string
}

// App serves the pages.
type App struct {
	Options

	log       *slog.Logger
	crossSite *http.CrossOriginProtection
}

// Name is the name of the service.
const Name = "console"

// New returns the handler of the public port.
func New(options Options) (http.Handler, error) {
	a := &App{Options: options, log: options.Telemetry.Logger, crossSite: http.NewCrossOriginProtection()}
	// Browsers of long ago send Origin without Sec-Fetch-Site, and the proxy in front may not pass the host on.
	if err := a.crossSite.AddTrustedOrigin(options.Origin.URL); err != nil {
		return nil, err
	}
	engine := web.NewEngine(web.Options{
		Service: Name, Telemetry: options.Telemetry, Public: true, TrustedProxies: options.TrustedProxies,
	})
	engine.Use(a.protect)
	for _, row := range routes() {
		engine.Handle(row.Method, row.Path, a.serve(row))
	}
	engine.NoRoute(a.serve(route{handle: noPage}))
	engine.NoMethod(a.serve(route{handle: noPage}))
	return engine, nil
}

// maxForm limits the body of a form.
const maxForm = 64 << 10

// protect sets the headers of every response, and lets nothing change by a form of another site.
func (a *App) protect(c *gin.Context) {
	header := c.Writer.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	if a.Origin.Secure {
		header.Set("Strict-Transport-Security", "max-age=31536000")
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxForm)
	if err := a.crossSite.Check(c.Request); err != nil {
		c.Abort()
		r := &request{Context: c, ctx: c.Request.Context()}
		a.answer(r, a.failed(r.ctx, http.StatusForbidden, pages.PartConsole, err))
		return
	}
	c.Next()
}

// request is a request to the console.
type request struct {
	*gin.Context

	// ctx is that of the request, with its session once it is loaded.
	ctx  context.Context //nolint:containedctx // it lives as long as the request
	who  *visitor        // nil if nobody has signed in
	flow bool            // the session is loaded
}

// read reads the query and the form of a request.
func (r *request) read() error {
	if err := r.Request.ParseForm(); err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	for _, values := range r.Request.Form {
		if slices.ContainsFunc(values, func(value string) bool { return !utf8.ValidString(value) }) {
			return errUnreadable
		}
	}
	return nil
}

// form returns a field of the form that was sent.
func (r *request) form(name string) string { return r.Request.PostForm.Get(name) }

// here returns the path and query of the page.
func (r *request) here() string { return r.Request.URL.RequestURI() }

// back returns the path of the page to which the choice of a language or a seller leads back: the form that was answered may
// have none at its address.
func (r *request) back() string {
	if r.Request.Method == http.MethodGet {
		return r.here()
	}
	pattern, at := r.FullPath(), r.Request.URL.EscapedPath()
	for pattern != "" && pattern != pages.HomePath && !isPage(pattern) {
		pattern, at = path.Dir(pattern), path.Dir(at)
	}
	if pattern == "" {
		return pages.HomePath
	}
	return at
}

func isPage(pattern string) bool {
	return slices.ContainsFunc(routes(), func(row route) bool { return row.Method == http.MethodGet && row.Path == pattern })
}

func withNext(path, next string) string {
	return path + "?" + url.Values{"next": {next}}.Encode()
}
