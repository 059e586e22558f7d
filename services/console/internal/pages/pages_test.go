package pages_test

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/console/internal/pages"
)

func parse(t *testing.T, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	require.NoError(t, err)
	return root
}

func elements(root *html.Node, names ...string) []*html.Node {
	var list []*html.Node
	for node := range root.Descendants() {
		if node.Type == html.ElementNode && (len(names) == 0 || slices.Contains(names, node.Data)) {
			list = append(list, node)
		}
	}
	return list
}

func attribute(node *html.Node, name string) (string, bool) {
	for _, one := range node.Attr {
		if one.Key == name {
			return one.Val, true
		}
	}
	return "", false
}

func each(t *testing.T, look func(t *testing.T, s sample, text string)) {
	t.Helper()
	for _, s := range samples() {
		for _, lang := range languages {
			t.Run(s.name+"/"+lang.String(), func(t *testing.T) {
				t.Parallel()
				look(t, s, s.render(t, lang))
			})
		}
	}
}

// Every page has one heading of the first rank, a title, a language, and is small enough for a slow line.
func TestPage_structure(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ sample, text string) {
		t.Helper()
		root := parse(t, text)
		require.Len(t, elements(root, "h1"), 1)
		require.Len(t, elements(root, "main"), 1)
		require.Less(t, len(text), 150<<10)
		lang, _ := attribute(elements(root, "html")[0], "lang")
		require.Contains(t, []string{"en", "ko"}, lang)
		require.NotContains(t, elements(root, "title")[0].FirstChild.Data, "%!")
		require.NotContains(t, text, "%!", "a text without its value")
		require.NotContains(t, text, "ZgotmplZ")
	})
}

// The policy of the pages forbids inline code: a page that has some would not work.
func TestPage_noInlineCode(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ sample, text string) {
		t.Helper()
		for _, node := range elements(parse(t, text)) {
			for _, one := range node.Attr {
				require.NotEqual(t, "style", one.Key)
				require.False(t, strings.HasPrefix(one.Key, "on"), "%s of %s", one.Key, node.Data)
				require.NotContains(t, strings.ToLower(one.Val), "javascript:")
			}
			if node.Data == "script" {
				source, there := attribute(node, "src")
				require.True(t, there && node.FirstChild == nil)
				require.True(t, strings.HasPrefix(source, pages.AssetsPath), source)
			}
			require.NotEqual(t, "style", node.Data)
		}
	})
}

// A reader who listens knows what each field is for, and identifiers are unique.
func TestPage_fieldsHaveLabels(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, _ sample, text string) {
		t.Helper()
		root, ids, labelled := parse(t, text), map[string]bool{}, map[string]bool{}
		for _, node := range elements(root) {
			if id, there := attribute(node, "id"); there {
				require.False(t, ids[id], id)
				ids[id] = true
			}
			if node.Data == "label" {
				id, _ := attribute(node, "for")
				labelled[id] = true
			}
		}
		for _, node := range elements(root, "input", "select", "textarea") {
			kind, _ := attribute(node, "type")
			id, _ := attribute(node, "id")
			_, named := attribute(node, "aria-label")
			inLabel := node.Parent.Data == "label"
			require.True(t, kind == "hidden" || inLabel || named || labelled[id], "%s %v", node.Data, node.Attr)
			if described, there := attribute(node, "aria-describedby"); there {
				require.True(t, ids[described], described)
			}
		}
		for _, node := range elements(root, "form") {
			method, _ := attribute(node, "method")
			require.Contains(t, []string{"get", "post"}, method)
		}
	})
}

// No page shows the name of a text in its place.
func TestPage_translated(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`\b(frame|signin|keys?|keyform|keytext|requests?|usage|webhooks?|deliveries|golive|failed|outcome)\.[a-z]+[a-zA-Z_]*\b`)
	each(t, func(t *testing.T, s sample, text string) {
		t.Helper()
		for node := range parse(t, text).Descendants() {
			if node.Type == html.TextNode {
				require.Empty(t, name.FindString(strings.ReplaceAll(node.Data, "webhook.test", "")), s.name)
			}
		}
	})
}

// The text of a key or a secret is on the page that shows it, once to read and once to copy, and in no address.
func TestPage_secrets(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s sample, text string) {
		t.Helper()
		want := 0
		switch s.view.(type) {
		case pages.KeyText, pages.WebhookSecret:
			want = 2
		}
		require.Equal(t, want, strings.Count(text, keyText)+strings.Count(text, secret))
		require.Equal(t, want > 0, strings.Contains(text, `<noscript><meta http-equiv="refresh" content="60;`))
	})
}

// Whatever a value contains, it stays a value: markup in it is shown and an address of a script leads nowhere.
func TestPage_escapesValues(t *testing.T) {
	t.Parallel()
	const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>` + "`'{{.}}%s"
	for _, s := range samples() {
		for _, lang := range languages {
			f := frame(lang, hostile)
			one := pages.Seller{ID: hostile, Name: hostile}
			f.Person.Name, f.Sellers, f.Seller, f.Docs = hostile, []pages.Seller{one, {ID: "b"}}, one, "https://seller-api.example"
			var text bytes.Buffer
			require.NoError(t, pages.Render(&text, f, poison(s.view, hostile)), s.name)
			root := parse(t, text.String())
			for _, node := range elements(root, "script", "img") {
				source, _ := attribute(node, "src")
				require.True(t, strings.HasPrefix(source, pages.AssetsPath), s.name)
			}
			for _, node := range elements(root) {
				for _, one := range node.Attr {
					require.False(t, strings.HasPrefix(one.Key, "on"), s.name)
				}
			}
		}
	}
	var text bytes.Buffer
	require.NoError(t, pages.Render(&text, frame(apierr.English, "/"), pages.SignIn{Start: "javascript:alert(1)"}))
	require.NotContains(t, text.String(), "javascript:")
}

// poison returns a page with the text in every place of a text that is not one of a closed list.
func poison(view pages.Page, text string) pages.Page {
	value := reflect.New(reflect.TypeOf(view)).Elem()
	value.Set(deepCopy(reflect.ValueOf(view), text))
	return value.Interface().(pages.Page)
}

func deepCopy(value reflect.Value, text string) reflect.Value {
	made := reflect.New(value.Type()).Elem()
	made.Set(value)
	switch value.Kind() { //nolint:exhaustive // other kinds have no text
	case reflect.String:
		if value.Type() == reflect.TypeFor[string]() {
			made.SetString(text)
		}
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			return made
		}
		for i := range value.NumField() {
			made.Field(i).Set(deepCopy(value.Field(i), text))
		}
	case reflect.Slice:
		if value.IsNil() {
			return made
		}
		made.Set(reflect.MakeSlice(value.Type(), value.Len(), value.Len()))
		for i := range value.Len() {
			made.Index(i).Set(deepCopy(value.Index(i), text))
		}
	case reflect.Pointer:
		if !value.IsNil() {
			made.Set(reflect.New(value.Type().Elem()))
			made.Elem().Set(deepCopy(value.Elem(), text))
		}
	}
	return made
}

// The form of a key shows every operation under the scope that opens it; one that every key may use is under none.
func TestKeyForm_scopesOpenOperations(t *testing.T) {
	t.Parallel()
	for _, lang := range languages {
		var text bytes.Buffer
		require.NoError(t, pages.Render(&text, frame(lang, "/keys/new"), pages.KeyForm{}))
		for _, op := range operation.All() {
			if op.Scope == "" {
				require.NotContains(t, text.String(), `title="`+op.Method+" "+op.Path+`"`)
				continue
			}
			_, rest, found := strings.Cut(text.String(), `value="`+string(op.Scope)+`"`)
			require.True(t, found)
			row, _, _ := strings.Cut(rest, "</tr>")
			require.Contains(t, row, `title="`+op.Method+" "+op.Path+`"`)
		}
	}
}

// The page of a refused call says why with the values of the call, and what to do.
func TestRequest_explains(t *testing.T) {
	t.Parallel()
	call := calls()[2]
	for lang, want := range map[apierr.Lang][]string{
		apierr.English: {`<code>limit</code> <span class="here">read</span> says which`, `<span class="here">60</span>`, "Wait for <code>Retry-After</code>"},
		apierr.Korean:  {`<span class="here">60</span>`, `<code>Retry-After</code>`, "해결 방법"},
	} {
		var text bytes.Buffer
		require.NoError(t, pages.Render(&text, frame(lang, "/"), pages.Request{Call: call}))
		for _, part := range append(want, "https://seller-api.example/docs/"+lang.String()+"/limits", call.RequestID) {
			require.Contains(t, text.String(), part)
		}
	}
}

// Every code of the interface has an explanation, in both languages.
func TestRequest_everyCodeExplained(t *testing.T) {
	t.Parallel()
	for _, row := range apierr.Codes() {
		if row.Status < 400 || row.Code == apierr.Unauthenticated {
			continue
		}
		for lang, unknown := range map[apierr.Lang]string{apierr.English: "knows no page", apierr.Korean: "콘솔에 없습니다"} {
			var text bytes.Buffer
			call := pages.Call{Operation: operation.GetOrder, Status: row.Status, ErrorCode: row.Code.WireCode(), At: now}
			require.NoError(t, pages.Render(&text, frame(lang, "/"), pages.Request{Call: call}))
			require.NotContains(t, text.String(), unknown, row.Code)
		}
	}
}

// The old key is revoked last: only when the new one is used and the old one has rested for an hour.
func TestRotation_steps(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"rotation": 0, "rotation-new": 1, "rotation-used": 2, "rotation-rested": 3, "rotation-over": 4,
	} {
		i := slices.IndexFunc(samples(), func(s sample) bool { return s.name == name })
		text := samples()[i].render(t, apierr.English)
		require.Equal(t, want, strings.Count(text, `<li class="done">`), name)
		require.Equal(t, want == 3, strings.Contains(text, `class="button dangerous"`), name)
	}
}

// A filter is the query of the page: each that is set can be removed alone, and the first page is shown again.
func TestFilter_isTheQuery(t *testing.T) {
	t.Parallel()
	f := pages.Filter{Operation: "ship_order", Record: "2026&x=1", After: "c", From: "2026-11-28"}
	require.Equal(t, f, pages.FilterFrom(f.Query()))
	require.Equal(t, "/requests?from=2026-11-28&operation=ship_order&record=2026%26x%3D1", f.Latest())
	chips := f.Chips()
	removed := make([]string, 0, len(chips))
	for _, chip := range chips {
		removed = append(removed, chip.Remove)
	}
	require.Equal(t, []string{
		"/requests?operation=ship_order&record=2026%26x%3D1", "/requests?from=2026-11-28&record=2026%26x%3D1",
		"/requests?from=2026-11-28&operation=ship_order",
	}, removed)
	require.Equal(t, "/requests", pages.Filter{After: "c"}.Latest())
}

// The sheet names the active key without a call; no call proves nothing.
func TestGoLive_judges(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(samples(), func(s sample) bool { return s.name == "go-live" })
	text := samples()[i].render(t, apierr.English)
	require.Contains(t, text, "Not used in this range: vpk_test_k2M")
	require.Contains(t, text, "Calls refused because of a limit: 31")
	require.NotContains(t, samples()[i+1].render(t, apierr.English), `badge good`)
	_, points, _ := strings.Cut(text, `class="boxes"`)
	require.Equal(t, 10, strings.Count(points, "<li>"), "the points of the guide")
}
