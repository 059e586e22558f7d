package pages

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/guides"
	"sellerapi.dev/proto/openapi/site"
)

// functions are what the templates of a language may call.
func functions(lang apierr.Lang) template.FuncMap {
	return template.FuncMap{
		"t":          func(word Word, values ...any) string { return word.in(lang, values...) },
		"inline":     func(f Frame, word Word) template.HTML { return inline(f, word.in(lang), nil) },
		"said":       func(n *Notice) string { return n.Word.in(lang, n.Values...) },
		"lang":       lang.String,
		"moment":     func(at time.Time) template.HTML { return moment(lang, at) },
		"number":     func(n int64) string { return site.Number(int(n)) },
		"took":       took,
		"seconds":    func(d time.Duration) string { return site.Number(int(d.Seconds())) },
		"operation":  func(name string) string { return summaries[lang]()[name] },
		"operations": operation.All,
		"scopes":     func() []scopeRow { return scopeRows(lang) },
		"explain":    explain,
		"docs":       docs,
		"has":        slices.Contains[[]string],
		"manages":    func(f Frame) bool { return f.Person.Role == Representative },
		"supports":   func(f Frame) bool { return f.Person.Role == Support || f.Person.Role == "" && f.Sellers == nil },
		"firstCall":  firstCall,
		"problem":    func(p Problem) string { return p.in(lang) },
		"keyState":   func(state KeyState) badge { return keyBadges[state] },
		"hookState":  func(state WebhookState) badge { return webhookBadges[state] },
		"outcome":    outcome,
		"role":       func(role Role) Word { return Word("role." + string(role)) },
		"window":     func(w Window) Word { return Word("usage." + string(w)) },
		"windows":    func() []Window { return []Window{LastHour, LastDay, LastFortnight} },
		"idempotent": func(i Idempotency) Word { return Word("idempotency." + string(i)) },
		"limit":      Limit.badge,
		"named":      func(l Limit, name Word) namedLimit { return namedLimit{l, name} },
		"menu":       func() []entry { return menu },
		"checks":     func(g GoLive) []check { return g.checks(lang) },
		"confirmed":  confirmed,
		"reveal":     RevealPath, "revoke": RevokePath, "rotation": RotationPath, "call": RequestPath,
		"webhook": WebhookPath, "hook": WebhookAction, "byRecord": ByRecord, "byKey": ByKey,
		"calls": func(list []Call, current string) callList { return callList{Calls: list, Current: current} },
	}
}

// callList is a table of calls, of which one may be the page's.
type callList struct {
	Calls   []Call
	Current string
}

// namedLimit is a limit with the name of what it limits.
type namedLimit struct {
	Limit
	Name Word
}

type entry struct {
	Path  string
	Label Word
}

var menu = []entry{
	{KeysPath, "keys.title"},
	{RequestsPath, "requests.title"},
	{UsagePath, "usage.title"},
	{WebhooksPath, "webhooks.title"},
	{GoLivePath, "golive.title"},
}

// badge is a state as colour and word.
type badge struct {
	Class string // good, warn, bad, or empty
	Word  Word
}

var keyBadges = map[KeyState]badge{
	KeyActive: {"good", "key.active"}, KeyRevoked: {"bad", "key.revoked"}, KeyExpired: {"warn", "key.expired"},
}

var webhookBadges = map[WebhookState]badge{
	WebhookActive: {"good", "webhook.active"}, WebhookPaused: {"warn", "webhook.paused"}, WebhookFailed: {"bad", "webhook.failed"},
}

func outcome(status int) badge {
	switch {
	case status >= 500:
		return badge{"bad", "outcome.failed"}
	case status >= 400:
		return badge{"warn", "outcome.refused"}
	default:
		return badge{"good", "outcome.succeeded"}
	}
}

// moment is a time for everybody; the script shows it in the reader's zone.
func moment(lang apierr.Lang, at time.Time) template.HTML {
	at = at.UTC()
	short := apierr.Phrase{English: at.Format("2 Jan 15:04"), Korean: at.Format("1월 2일 15:04")}.In(lang)
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s UTC</time>`, //nolint:gosec // digits and names of months
		at.Format(time.RFC3339), at.Format("2006-01-02 15:04:05 UTC"), short))
}

// took is a duration with two digits at most.
func took(d time.Duration) string {
	switch {
	case d == 0:
		return "–"
	case d < time.Millisecond:
		return "< 1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	default:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
}

// summaries are the summaries of the contract by operation.
var summaries = map[apierr.Lang]func() map[string]string{
	apierr.English: sync.OnceValue(func() map[string]string { return summariesOf(openapi.Operations()) }),
	apierr.Korean:  sync.OnceValue(func() map[string]string { return summariesOf(openapi.KoreanOperations()) }),
}

func summariesOf(list []openapi.Operation, err error) map[string]string {
	if err != nil {
		panic(err) // tests rule this out: the contract is embedded
	}
	all := make(map[string]string, len(list))
	for i := range list {
		all[list[i].ID] = list[i].Summary
	}
	return all
}

// scopeRow is a scope with what it opens.
type scopeRow struct {
	Scope string
	Opens []opened
}

type opened struct{ Summary, Method, Path string }

func scopeRows(lang apierr.Lang) []scopeRow {
	names, all := summaries[lang](), principal.All()
	rows := make([]scopeRow, 0, len(all))
	for _, scope := range all {
		row := scopeRow{Scope: string(scope)}
		for _, op := range operation.All() {
			if op.Scope == scope {
				row.Opens = append(row.Opens, opened{Summary: names[op.Name], Method: op.Method, Path: op.Path})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// confirmed are the points that only people can confirm: those of the guide.
func confirmed(f Frame) ([]template.HTML, error) {
	text, err := guides.Files.ReadFile(f.Language.String() + "/live.md")
	if err != nil {
		return nil, fmt.Errorf("read the guide: %w", err)
	}
	var list []template.HTML
	points, _, _ := strings.Cut(string(text), "\n\n## 키")
	points, _, _ = strings.Cut(points, "\n\n## The key")
	_, points, _ = strings.Cut(points, "\n- [ ] ")
	for point := range strings.SplitSeq(points, "\n- [ ] ") {
		list = append(list, inline(f, strings.Join(strings.Fields(point), " "), nil))
	}
	return list, nil
}
