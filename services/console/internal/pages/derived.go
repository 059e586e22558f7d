package pages

import (
	"strings"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/proto/openapi/site"
)

// check is a point of the go-live sheet that the log decides.
type check struct {
	Name  Word
	Badge badge
	Found string
}

// Rows lists every operation in the order of the specification with its calls.
func (g GoLive) Rows() []GoLiveOperation {
	all := operation.All()
	rows := make([]GoLiveOperation, 0, len(all))
	for _, op := range all {
		row := GoLiveOperation{Operation: op.Name}
		for _, called := range g.Operations {
			if called.Operation == op.Name {
				row = called
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// checks are empty of judgement while there are no calls.
func (g GoLive) checks(lang apierr.Lang) []check {
	called := g.Calls > 0
	return []check{
		{"golive.limits", judged(called, g.Limited == 0), count(lang, "golive.limited", g.Limited)},
		{"golive.idempotency", judged(called, g.Reused == 0), count(lang, "golive.reused", g.Reused)},
		{"golive.access", judged(called, g.Denied == 0), count(lang, "golive.denied", g.Denied)},
		{"golive.requests", judged(called, g.Invalid == 0), count(lang, "golive.invalid", g.Invalid)},
		{"golive.keys", judged(len(g.Keys) > 0, g.unused() == ""), g.keysFound(lang)},
	}
}

func judged(known, good bool) badge {
	switch {
	case !known:
		return badge{"", "golive.open"}
	case good:
		return badge{"good", "golive.shown"}
	default:
		return badge{"warn", "golive.look"}
	}
}

func count(lang apierr.Lang, word Word, n int64) string { return word.in(lang, site.Number(int(n))) }

// unused are the active keys without a call in the range.
func (g GoLive) unused() string {
	var list []string
	for _, key := range g.Keys {
		if key.State == KeyActive && key.LastUsedAt.Before(g.From) {
			list = append(list, key.Prefix)
		}
	}
	return strings.Join(list, ", ")
}

func (g GoLive) keysFound(lang apierr.Lang) string {
	if unused := g.unused(); unused != "" {
		return Word("golive.unused").in(lang, unused)
	}
	return Word("golive.used").in(lang)
}

// step is a step of the rotation of a key.
type step struct {
	Done, Now bool
}

const quiet = time.Hour

// Steps tells which of the four steps are done, and which one is next.
func (r Rotation) Steps() [4]step {
	var steps [4]step
	steps[0].Done = r.New != nil
	steps[1].Done = r.New != nil && !r.New.LastUsedAt.IsZero()
	steps[2].Done = steps[1].Done && r.Now.Sub(r.Old.LastUsedAt) >= quiet
	steps[3].Done = r.Old.State != KeyActive
	for i := range steps {
		if !steps[i].Done {
			steps[i].Now = true
			break
		}
	}
	return steps
}

// Near is the use from which a limit is near: four fifths.
func (l Limit) Near() int64 { return l.Max * 4 / 5 }

// Last is the use after which the limit is reached.
func (l Limit) Last() int64 { return l.Max - 1 }

// badge is empty while there is room.
func (l Limit) badge() badge {
	switch {
	case l.Used >= l.Max:
		return badge{"bad", "usage.reached"}
	case l.Used >= l.Near():
		return badge{"warn", "usage.near"}
	default:
		return badge{}
	}
}

// usageTotal counts the calls of a window.
type usageTotal struct{ Calls, Succeeded, Refused, Failed, Rows int64 }

// Total sums the operations up.
func (u Usage) Total() usageTotal {
	var sum usageTotal
	for _, op := range u.Operations {
		sum.Succeeded += op.Succeeded
		sum.Refused += op.Refused
		sum.Failed += op.Failed
		sum.Rows += op.Rows
	}
	sum.Calls = sum.Succeeded + sum.Refused + sum.Failed
	return sum
}
