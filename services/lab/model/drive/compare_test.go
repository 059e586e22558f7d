package drive

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"sellerapi.dev/services/lab/model"
)

const timeForm = "2006-01-02T15:04:05.000000Z"

type instant struct {
	op     int
	what   string
	paused *model.Pause
}

// window is the time during which an operation was in progress: from before its round began until nothing of it was left to do.
type window struct{ from, to time.Time }

// learned are the ids and times that the system has chosen. What a trial has learned is kept with keep.
type learned struct {
	names *names
	base  *learned
	items map[model.ItemID]string
	owner map[string]model.ItemID
	times map[instant]time.Time
	// windows are the times during which operations were in progress, by operation number.
	windows map[int]window
}

func newLearned(n *names) *learned {
	return &learned{
		names: n, items: map[model.ItemID]string{}, owner: map[string]model.ItemID{}, times: map[instant]time.Time{},
		windows: map[int]window{},
	}
}

// trial returns a trial on top of what is known, in which more can be learned.
func (l *learned) trial() *learned {
	on := newLearned(l.names)
	on.base, on.windows = l, l.windows
	return on
}

func (l *learned) same(other *learned) bool {
	return maps.Equal(l.items, other.items) && reflect.DeepEqual(l.times, other.times)
}

func (l *learned) keep() {
	maps.Copy(l.base.items, l.items)
	maps.Copy(l.base.owner, l.owner)
	maps.Copy(l.base.times, l.times)
}

func (l *learned) item(id model.ItemID) (string, bool) {
	if text, known := l.items[id]; known || l.base == nil {
		return text, known
	}
	return l.base.item(id)
}

func (l *learned) ownerOf(text string) (model.ItemID, bool) {
	if id, known := l.owner[text]; known || l.base == nil {
		return id, known
	}
	return l.base.ownerOf(text)
}

func (l *learned) time(i instant) (time.Time, bool) {
	if at, known := l.times[i]; known || l.base == nil {
		return at, known
	}
	return l.base.time(i)
}

func (l *learned) differ(path string, want, got any) string {
	switch w := want.(type) {
	case model.Anything:
		return ""
	case model.Object:
		return l.differObject(path, w, got)
	case model.Says:
		return l.differProblem(model.Object(w), got)
	case []any:
		return l.differList(path, w, got)
	case model.Either:
		for _, one := range w {
			if l.differ(path, one, got) == "" {
				return ""
			}
		}
		return unlike(path, w, got)
	case int64:
		if number, ok := got.(float64); ok && int64(number) == w {
			return ""
		}
		return unlike(path, w, got)
	case model.Stamp:
		return l.differStamp(path, got)
	case model.At:
		return l.differTime(path, w, got)
	case model.ItemID:
		return l.differItem(path, w, got)
	default:
		if name, ok := l.names.of(want, l); ok {
			want = name[:min(len(name), namedMost)]
		}
		if want == got {
			return ""
		}
		return unlike(path, want, got)
	}
}

func unlike(path string, want, got any) string {
	return fmt.Sprintf("%s: want %v, got %v", path, want, got)
}

func (l *learned) differObject(path string, want model.Object, got any) string {
	object, ok := got.(map[string]any)
	if !ok {
		return unlike(path, "an object", got)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		value, there := object[name]
		if ignored[name] {
			continue
		}
		if !there {
			return path + "." + name + ": is missing"
		}
		if problem := l.differ(path+"."+name, want[name], value); problem != "" {
			return problem
		}
	}
	for name := range object {
		if _, known := want[name]; !known && !ignored[name] {
			return path + "." + name + ": is a field that the model does not know"
		}
	}
	return ""
}

func (l *learned) differList(path string, want []any, got any) string {
	list, ok := got.([]any)
	if !ok || len(list) != len(want) {
		return unlike(path, fmt.Sprintf("%d elements", len(want)), got)
	}
	for i := range want {
		if problem := l.differ(fmt.Sprintf("%s[%d]", path, i), want[i], list[i]); problem != "" {
			return problem
		}
	}
	return ""
}

func (l *learned) differStamp(path string, got any) string {
	text, _ := got.(string)
	if _, err := time.Parse(timeForm, text); err != nil {
		return unlike(path, "a time", got)
	}
	return ""
}

const (
	// clockSlack is how far a time may lie outside of its operation's window: changes of several orders can share one time.
	clockSlack = 250 * time.Millisecond
	// pauseSlack is the precision with which the length of a pause is known when its ends are.
	pauseSlack = time.Millisecond
)

func (l *learned) differTime(path string, want model.At, got any) string {
	text, _ := got.(string)
	at, err := time.Parse(timeForm, text)
	if err != nil {
		return unlike(path, fmt.Sprintf("the time of operation %d", want.Op), got)
	}
	at = at.Add(-want.Plus)
	key := instant{want.Op, want.What, want.Paused}
	may := l.bounds(key)
	if at.Before(may.from) || at.After(may.to) {
		return unlike(path, fmt.Sprintf("from %s to %s", may.from.Add(want.Plus).Format(timeForm),
			may.to.Add(want.Plus).Format(timeForm)), got)
	}
	l.times[key] = at
	return ""
}

// bounds returns the earliest and latest time at which something happened; they are equal when the time is known. A pause
// moves both by its length, which is known as precisely as its ends are.
func (l *learned) bounds(i instant) window {
	if known, isKnown := l.time(i); isKnown {
		return window{known, known}
	}
	if i.paused == nil {
		w := l.windows[i.op]
		return window{w.from.Add(-clockSlack), w.to.Add(clockSlack)}
	}
	w := l.bounds(instant{i.op, i.what, i.paused.Before})
	from, to := l.windows[i.paused.From], l.windows[i.paused.To]
	return window{w.from.Add(to.from.Sub(from.to) - pauseSlack), w.to.Add(to.to.Sub(from.from) + pauseSlack)}
}

func (l *learned) differItem(path string, want model.ItemID, got any) string {
	text, _ := got.(string)
	known, isKnown := l.item(want)
	owner, owned := l.ownerOf(text)
	if isKnown && known != text || owned && owner != want || len(text) != uuidLength {
		return unlike(path, fmt.Sprintf("%s of %v", known, want), fmt.Sprintf("%s of %v", text, owner))
	}
	l.items[want], l.owner[text] = text, want
	return ""
}

// namedMost is how many characters of what a client sent for an item refusals repeat.
const namedMost = 64

const uuidLength = 36
