package conformance_test

import (
	"crypto/tls"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/guides"
)

// A developer who stores the document, or passes it to a program that does not remember where it came from, still has the address
// of the system and of its guides in it. Nothing else changes.
func TestAddress_servedDocumentCarriesIt(t *testing.T) {
	t.Parallel()
	const address = "https://api.example.com"
	for _, document := range []openapi.Document{openapi.JSON(), openapi.YAML()} {
		read, err := openapi3.NewLoader().LoadFromData(document.At(address).Bytes())
		require.NoError(t, err)
		require.Equal(t, address, read.Servers[0].URL)
		links := linksOf(read)
		require.Greater(t, len(links), 20)
		for where, link := range links {
			require.True(t, strings.HasPrefix(link, address+"/docs/"), "%s: %s", where, link)
		}
		require.Equal(t, strings.Count(string(document.Bytes()), "/docs/"),
			strings.Count(string(document.At(address).Bytes()), "/docs/"))
		require.NotEqual(t, document.ETag(), document.At(address).ETag())
	}
	require.Equal(t, members(t, openapi.YAML().At(address)), members(t, openapi.JSON().At(address)))
}

// An address that is not known for certain is worse than none: the original document is correct wherever it is read.
func TestAddress_ofRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ url, host, forwarded, want string }{
		"tls":              {url: "https://api.example.com/", want: "https://api.example.com"},
		"tls_ended_before": {url: "http://api.example.com/", forwarded: "https", want: "https://api.example.com"},
		"plain_in_front":   {url: "http://api.example.com:8080/", forwarded: "http", want: "http://api.example.com:8080"},
		"nothing_said":     {url: "http://api.example.com/"},
		"nonsense_said":    {url: "https://api.example.com/", forwarded: "gopher"},
		"this_machine":     {url: "http://127.0.0.1:18080/", want: "http://127.0.0.1:18080"},
		"localhost":        {url: "http://localhost/", want: "http://localhost"},
		"ipv6":             {url: "http://[::1]:80/", want: "http://[::1]:80"},
		"markup_in_host":   {url: "https://api.example.com/", host: `a"},{"x`},
		"path_in_host":     {url: "https://api.example.com/", host: "a/b"},
		"no_host":          {url: "https://api.example.com/", host: " "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.url, nil)
			if strings.HasPrefix(c.url, "https") {
				r.TLS = &tls.ConnectionState{}
			}
			if c.host != "" {
				r.Host = c.host
			}
			if c.forwarded != "" {
				r.Header.Set("X-Forwarded-Proto", c.forwarded)
			}
			require.Equal(t, c.want, openapi.Address(r))
		})
	}
}

// Clients can send any Host header; that must cause neither memory growth nor wrong addresses.
func TestAddress_fewAreKept(t *testing.T) {
	t.Parallel()
	served := openapi.NewAddressed(openapi.YAML)
	get := func(host string) string {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Host = host
		r.Header.Set("X-Forwarded-Proto", "https")
		w := httptest.NewRecorder()
		served.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code)
		return w.Body.String()
	}
	for n := range 4 {
		host := fmt.Sprintf("api%d.example.com", n)
		require.Equal(t, string(openapi.YAML().At("https://"+host).Bytes()), get(host))
	}
	require.Equal(t, string(openapi.YAML().Bytes()), get("api5.example.com"))
	require.Contains(t, get("api0.example.com"), "https://api0.example.com")
}

// Every operation and every tag links to the guide that explains it, and every guide is linked.
func TestGuides_linkedFromOperations(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	links, linked := linksOf(document), map[string]bool{}
	for where, link := range links {
		name, isGuide := strings.CutPrefix(link, "/docs/")
		require.True(t, isGuide, "%s: %s", where, link)
		_, err := fs.Stat(guides.Files, "en/"+name+".md")
		require.NoError(t, err, where)
		linked[name] = true
	}
	for _, tag := range document.Tags {
		require.Contains(t, links, tag.Name)
	}
	for name := range calls(document) {
		require.Contains(t, links, name)
	}
	pages, err := fs.Glob(guides.Files, "en/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		if path.Base(page) == "marketplace.md" { // it is about calls of marketplaces
			continue
		}
		require.True(t, linked[strings.TrimSuffix(path.Base(page), ".md")], page)
	}
}

func linksOf(document *openapi3.T) map[string]string {
	links := map[string]string{"document": document.ExternalDocs.URL}
	for _, tag := range document.Tags {
		links[tag.Name] = tag.ExternalDocs.URL
	}
	for _, item := range document.Paths.Map() {
		for _, operation := range item.Operations() {
			links[operation.OperationID] = operation.ExternalDocs.URL
		}
	}
	links["code"] = document.Components.Schemas["ErrorCode"].Value.ExternalDocs.URL
	links["key"] = document.Components.Parameters["IdempotencyKey"].Value.Schema.Value.ExternalDocs.URL
	links["scope"] = document.Components.Schemas["ErrorData"].Value.Properties["required_scope"].Value.ExternalDocs.URL
	links["limit"] = document.Components.Headers["RateLimitLimit"].Value.Schema.Value.ExternalDocs.URL
	return links
}

// Values that are not identifiers have names, so that generated clients have readable constants.
func TestEnums_namesForPrograms(t *testing.T) {
	t.Parallel()
	carriers := parsed(t).Components.Schemas["CarrierName"].Value
	names, _ := carriers.Extensions["x-enum-varnames"].([]any)
	require.Len(t, names, len(carriers.Enum))
}
