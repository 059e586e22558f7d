package site_test

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi/guides"
	"sellerapi.dev/proto/openapi/site"
)

var usual = site.Settings{
	Environment: "test", Window: time.Minute, Read: 60, Process: 30, Rows: 3000, Refused: 300,
	Keys: 5, KeysDaily: 10, KeyRest: 2 * time.Minute,
	ConfirmAfter: 192 * time.Hour, ConfirmAfterClaim: 36 * time.Hour, Request: 168 * time.Hour, Inspection: 72 * time.Hour,
	Payment: 72 * time.Hour,
}

var shared = site.New(usual)

func get(t *testing.T, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	if !shared.Serve(w, r) {
		w.Code = http.StatusNotFound
	}
	return w
}

func page(t *testing.T, path string, header ...string) string {
	t.Helper()
	w := get(t, path, header...)
	require.Equal(t, http.StatusOK, w.Code, path)
	return w.Body.String()
}

var links = regexp.MustCompile(`(?:href|src|data-index)="([^"#]*)(?:#([^"]*))?"`)

// elsewhere are addresses that other tests cover: the reference has tests of its own, the documents are the contract's.
var elsewhere = []string{
	"/docs/en/reference", "/docs/ko/reference", "/docs/seller-open-api.postman_collection.json", "/open/v1/openapi.json", "data:,",
}

// Every link leads to an existing page and chapter, and none leaves the system.
func TestPages_everyLinkArrives(t *testing.T) {
	t.Parallel()
	waiting, seen, texts := []string{"/docs/en", "/docs/ko"}, map[string]bool{}, map[string]string{}
	read := func(path string) string {
		if _, known := texts[path]; !known {
			texts[path] = page(t, path)
		}
		return texts[path]
	}
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		if seen[path] || slices.Contains(elsewhere, path) {
			continue
		}
		require.True(t, strings.HasPrefix(path, "/docs"), "%q is no address of the site", path)
		seen[path] = true
		text := read(path)
		for _, link := range links.FindAllStringSubmatch(text, -1) {
			target := cmp.Or(link[1], path)
			waiting = append(waiting, target)
			if link[2] != "" {
				require.Equal(t, 1, strings.Count(read(target), ` id="`+link[2]+`"`), "%s names %s#%s", path, target, link[2])
			}
		}
		require.NotContains(t, text, `.md"`, path)
		require.NotContains(t, text, "](", "%s: Markdown that is none", path)
		require.NotContains(t, text, "omitted", "%s: HTML of the file that means nothing here", path)
	}
	require.Greater(t, len(seen), 2*(13+len(apierr.Codes())))
}

// Every page can be reached by links, so that developers find it without a search.
func TestPages_menuHasEveryGuide(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ko"} {
		files, err := fs.Glob(guides.Files, lang+"/*.md")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		front := page(t, "/docs/"+lang)
		for _, file := range files {
			require.Contains(t, front, `href="/docs/`+strings.TrimSuffix(file, ".md")+`"`)
		}
	}
}

// A call is shown in every language, each under its name: the script turns them into tabs, and without the script all are
// readable.
func TestPages_programsStandTogether(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ko"} {
		for _, name := range []string{"start", "copy", "ship", "claims", "exchange", "inquiries", "retries", "limits"} {
			text := page(t, "/docs/"+lang+"/"+name)
			_, group, found := strings.Cut(text, `<div class="programs" data-label="`)
			require.True(t, found, name)
			var shown []string
			for _, label := range labels.FindAllStringSubmatch(group, -1) {
				shown = append(shown, label[2]+" "+label[1])
			}
			require.Equal(t, []string{"sh curl", "go Go", "ts TypeScript", "python Python"}, shown, name)
			require.Equal(t, 4, strings.Count(group, `<div class="program" `), name)
		}
	}
}

// The arrows of the pictures are labelled in the language of the page; the states are the values of the interface in both.
func TestPictures_speakTheLanguage(t *testing.T) {
	t.Parallel()
	arrow, state := regexp.MustCompile(`text-anchor="(?:start|end)">([^<]*)<`), regexp.MustCompile(`font-weight="600">([^<]*)<`)
	for _, name := range []string{"claims", "copy"} {
		english, korean := page(t, "/docs/en/"+name), page(t, "/docs/ko/"+name)
		require.NotEmpty(t, arrow.FindAllString(english, -1), name)
		require.Equal(t, state.FindAllString(english, -1), state.FindAllString(korean, -1), name)
		require.Len(t, arrow.FindAllString(korean, -1), len(arrow.FindAllString(english, -1)), name)
		for _, step := range arrow.FindAllStringSubmatch(korean, -1) {
			require.NotRegexp(t, "[A-Za-z]", step[1], name)
		}
	}
}

// labels matches the languages of programs and their names.
var labels = regexp.MustCompile(`<p class="language">([^<]*)</p>\n<pre tabindex="0"><code class="language-(\w+)">`)

// A developer whose call is refused is directed to a page that states what to do, in their language, with an example.
func TestCodes_everyPageAdvises(t *testing.T) {
	t.Parallel()
	for _, row := range apierr.Codes() {
		path := (&apierr.Error{Code: row.Code}).Public(apierr.English)["doc_url"].(string)
		english, korean := page(t, path), page(t, path, "Accept-Language", "ko")
		require.Contains(t, korean, `<html lang="ko">`)
		for text, parts := range map[string][]string{
			english: {row.English, "What happened</h2>\n<p>", "What to do</h2>\n<p>"},
			korean:  {row.Korean, "무슨 일이 있었나</h2>\n<p>", "어떻게 해야 하나</h2>\n<p>"},
		} {
			for _, part := range parts {
				require.Contains(t, text, part, row.Code)
			}
			if row.Code != apierr.Unauthenticated { // a service sends it to a gateway, never to a client
				require.Contains(t, text, "&#34;meta&#34;", "%s has an example", row.Code)
			}
		}
	}
}

// A page says whether its code is also an answer to a request, or appears for single orders of a batch only.
func TestCodes_failedOfBatch(t *testing.T) {
	t.Parallel()
	require.Contains(t, page(t, "/docs/en/errors/ORDER_BATCH_ERROR"), "only in failed[] of a batch")
	require.Contains(t, page(t, "/docs/ko/errors/ORDER_BATCH_ERROR"), "일괄 발송의 failed[]에만 나타남")
	require.Contains(t, page(t, "/docs/en/errors/ORDER_NOT_FOUND"), "also in failed[] of a batch")
}

// The request on a code's page is one that is refused with this code: it lacks what the code says is missing, and nothing else.
func TestCodes_requestsAreRecorded(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct{ has, lacks []string }{
		"API_KEY_REQUIRED":         {[]string{"GET /open/v1/orders"}, []string{"X-Api-Key: vpk"}},
		"IDEMPOTENCY_KEY_REQUIRED": {[]string{"X-Api-Key: vpk_test_…"}, []string{"Idempotency-Key: "}},
		"SHIPMENT_FIELDS_REQUIRED": {[]string{"&#34;tracking_no&#34;: &#34; &#34;"}, nil},
		"INVALID_CURSOR":           {[]string{"GET /open/v1/orders?", "cursor="}, []string{"Idempotency-Key: "}},
		"ORDER_BATCH_ERROR":        {[]string{"POST /open/v1/orders/batch/shipment", "&#34;code&#34;: 200"}, nil},
		"404":                      {[]string{"POST /open/v1/claims/"}, nil},
		"405":                      {[]string{"DELETE /open/v1/orders/"}, nil},
		"415": {
			[]string{"Content-Type: application/x-www-form-urlencoded"},
			[]string{"Content-Type: application/json"},
		},
	} {
		for _, lang := range []string{"en", "ko"} {
			_, example, found := strings.Cut(page(t, "/docs/"+lang+"/errors/"+code), `<pre tabindex="0"><code>`)
			require.True(t, found, code)
			for _, part := range want.has {
				require.Contains(t, example, part, code)
			}
			for _, part := range want.lacks {
				require.NotContains(t, example, part, code)
			}
			require.Equal(t, lang == "ko", strings.Contains(example, "Accept-Language: ko"), code)
		}
	}
	require.NotContains(t, page(t, "/docs/ko/errors/VALIDATION_ERROR"), "is missing")
}

func TestSite_negotiatesLanguage(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/docs", "/docs/start", "/docs/errors", "/docs/status"} {
		require.Contains(t, page(t, path), `<html lang="en">`, path)
		require.Contains(t, page(t, path, "Accept-Language", "ko-KR,ko;q=0.9,en;q=0.5"), `<html lang="ko">`, path)
		require.Equal(t, []string{"Accept-Language", "Accept-Encoding"}, get(t, path).Header().Values("Vary"), path)
	}
	require.Contains(t, page(t, "/docs/en/start", "Accept-Language", "ko"), `<html lang="en">`)
	for _, path := range []string{"/docs/", "/docs/fr", "/docs/en/", "/docs/nothing", "/docs/errors/NOTHING", "/docs/en/errors/"} {
		require.Equal(t, http.StatusNotFound, get(t, path).Code, path)
	}
}

// A page may load nothing from other hosts, is sent compressed, and is not sent to a browser that has it.
func TestSite_headers(t *testing.T) {
	t.Parallel()
	first := get(t, "/docs/en/start", "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", first.Header().Get("Content-Encoding"))
	unpacked, err := gzip.NewReader(first.Body)
	require.NoError(t, err)
	text, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	require.Equal(t, page(t, "/docs/en/start"), string(text))
	policy := first.Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'; script-src 'self'; style-src 'self'")
	require.NotContains(t, policy, "unsafe")
	again := get(t, "/docs/en/start", "Accept-Encoding", "gzip", "If-None-Match", first.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Empty(t, again.Body.Bytes())
	require.NotContains(t, string(text), " style=")
	require.NotContains(t, string(text), "<script>")
}

func texts(t *testing.T, settings site.Settings, lang string) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/docs/settings.json", nil)
	require.True(t, site.New(settings).Serve(w, r))
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.Equal(t, "public, no-cache", w.Header().Get("Cache-Control"))
	require.NotEmpty(t, w.Header().Get("ETag"))
	var all map[string]map[string]string
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &all))
	return all[lang]
}

// The first page has an address and a key that work, if the system is one for development and shows a key.
func TestStart_showsKey(t *testing.T) {
	t.Parallel()
	for key, shown := range map[string]bool{"vpk_test_<1>": true, "": false} {
		settings := usual
		settings.Key = func() string { return key }
		for _, lang := range []string{"en", "ko"} {
			got, there := texts(t, settings, lang)["key"]
			require.Equal(t, shown, there)
			require.Equal(t, key, got)
		}
	}
	require.NotContains(t, texts(t, usual, "en"), "key", "nothing is shown where nothing is said")
	for lang, heading := range map[string]string{"en": "This system</h2>", "ko": "이 시스템</h2>"} {
		_, part, found := strings.Cut(page(t, "/docs/"+lang+"/start"), `<div data-with="key" hidden>`)
		require.True(t, found)
		part, _, _ = strings.Cut(part, "</div>")
		require.Contains(t, part, heading)
		require.Contains(t, part, "export GATEWAY_URL="+exampleAddress+"</code>\n"+
			`<code>export SELLER_A_KEY=<span data-setting="key"></span></code>`)
	}
}

// The page of settings shows the published ones, and gets those of the installation.
func TestStatus_showsSettings(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"en": {
			"live (vpk_live_)", ">3,000</td>", ">8 days</td>", ">3 days</td>", ">24 hours</td>", "1 MiB; 4 MiB", "for good",
			"60 seconds",
		},
		"ko": {"운영(vpk_live_)", ">3,000</td>", ">8일</td>", "60초", "계속"},
	} {
		for _, text := range want {
			require.Contains(t, page(t, "/docs/"+lang+"/status"), text)
		}
	}
	require.Equal(t, map[string]string{
		"environment": "development (vpk_test_)", "window": "60 seconds", "read": "60", "process": "30", "rows": "3,000",
		"refused": "300", "keys": "5", "key_rest": "2 minutes", "keys_daily": "10", "keys_kept": "for good",
		"confirm_after": "8 days", "confirm_after_claim": "36 hours", "request": "7 days", "inspection": "3 days", "payment": "3 days",
	}, texts(t, usual, "en"))
	require.Equal(t, map[string]string{
		"environment": "운영(vpk_live_)", "window": "60분", "read": "7", "process": "0", "rows": "0", "refused": "제한 없음",
		"keys": "0", "key_rest": "0초", "keys_daily": "0", "keys_kept": "365일",
	}, texts(t, site.Settings{Environment: "live", Window: time.Hour, Read: 7, KeysKept: 8760 * time.Hour}, "ko"),
		"without the periods that the gateway was not told")
}

// A setting that has a place in a page is one that installations have, and the other way round.
func TestStatus_everySettingHasAPlace(t *testing.T) {
	t.Parallel()
	settings := usual
	settings.Key = func() string { return "vpk_test_1" }
	for _, lang := range []string{"en", "ko"} {
		text, known := page(t, "/docs/"+lang+"/status")+page(t, "/docs/"+lang+"/start"), texts(t, settings, lang)
		for _, place := range regexp.MustCompile(`data-(?:setting|with)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			require.Contains(t, known, place[1])
		}
		for name := range known {
			require.Contains(t, text, `data-setting="`+name+`"`)
		}
	}
}
