package drive

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	"sellerapi.dev/services/lab/model"
)

// run is one seller on whom operations are executed, together with the model of that seller.
type run struct {
	system         *system
	names          *names
	seller, apiKey string
	model          *model.Model
	known          *learned
	count          int
	// choosing guards what concurrent operations record of what they send.
	choosing         sync.Mutex
	paidAt, postedAt map[int]time.Time
	// requests holds what was sent with each key and its operation; stored holds the data of the first answer.
	requests map[int]request
	stored   map[int]string
	// seen holds the records as of the last comparison; vague those on which an operation was refused in a concurrent round
	// since then.
	seen  map[string]stamped
	vague map[string]bool
	// newest is the latest updated_at of each list at the last comparison.
	newest map[string]string
	// decisions counts the rounds in which something may be decided about a claim.
	decisions int
	// crowded says that several operations of the round run concurrently.
	crowded  bool
	follower follower
	// checked is the check of a batch that was the last operation, alone in its round, and what it answered.
	checked model.Op
	said    string
}

type request struct {
	content string
	sent    sent
}

func newRun(ctx context.Context, s *system) (*run, error) {
	r := &run{
		system: s, names: newNames(), model: model.New(), paidAt: map[int]time.Time{}, postedAt: map[int]time.Time{},
		requests: map[int]request{}, stored: map[int]string{}, seen: map[string]stamped{}, vague: map[string]bool{},
		newest: map[string]string{}, follower: newFollower(),
	}
	r.known = newLearned(r.names)
	var err error
	r.seller, r.apiKey, err = s.seller(ctx)
	return r, err
}

// leave removes what the provider holds of the run.
func (r *run) leave() { r.system.provider.forget(r.names.claims()) }

// unresolved is the code of an action that the claim's state does not allow.
const unresolved = "IDEMPOTENCY_UNRESOLVED"

// round executes the operations concurrently, and waits until nothing of them is left to do. isRest asks for a comparison
// of everything that may have changed. The returned text describes how the system differs; it is empty when it does not.
func (r *run) round(ctx context.Context, round []model.Op, isRest bool) (string, error) {
	began := time.Now()
	r.crowded = len(round) > 1
	ended := r.watch(ctx, round)
	answers, followed, err := r.whileFollowed(ctx, round)
	if problem := ended() + followed; problem != "" || err != nil {
		return problem, err
	}
	for i, a := range answers {
		if a.lost != nil {
			return "", fmt.Errorf("%s: %w", round[i], a.lost)
		}
	}
	first := r.count
	r.count += len(round)
	r.underWay(first, began)
	fitting, problems := r.explained(round, answers, first)
	if len(fitting) == 0 {
		return problems, nil
	}
	if problem := r.atAnswer(ctx, round, answers) + r.asChecked(round, answers); problem != "" {
		return problem, nil
	}
	if err := r.settle(ctx, round, fitting); err != nil {
		return "", err
	}
	r.underWay(first, began)
	for i, op := range round {
		r.remember(op, answers[i])
		if len(round) > 1 && answers[i].status != http.StatusOK {
			r.blur(op)
		}
	}
	if fitting = distinct(fitting); isRest || len(fitting) > 1 {
		return r.rest(ctx, fitting, func() error {
			defer r.underWay(first, began)
			return r.settle(ctx, round, fitting)
		})
	}
	return r.news(ctx, fitting[0])
}

// asChecked describes how the answer to a batch differs from that to its check, if nothing came in between: no byte may differ.
func (r *run) asChecked(round []model.Op, answers []answer) (problem string) {
	op, a := round[0], answers[0]
	isChecked := r.checked.Kind != "" && op.Kind == model.Batch && reflect.DeepEqual(op.Entries, r.checked.Entries)
	if isChecked && !a.replayed && !a.repeated && a.text != r.said {
		problem = fmt.Sprintf("  as checked: %s: the check answers %s, the batch %s\n", op, r.said, a.text)
	}
	r.checked = model.Op{}
	if len(round) == 1 && op.Kind == model.Check {
		r.checked, r.said = op, a.text
	}
	return problem
}

// blur records that an operation was refused in a round with others, which may have changed updated_at of the records it is
// about.
func (r *run) blur(op model.Op) {
	r.vague[r.names.order(op.Order)], r.vague[r.names.claim(op.Claim)] = true, true
	if c := r.model.Claims[op.Claim]; c != nil {
		r.vague[r.names.order(c.Order)], r.vague[r.names.claim(c.ReplacedBy)] = true, true
	}
}

// underWay records that the operations from the number first were in progress from began until now.
func (r *run) underWay(first int, began time.Time) {
	for id := first; id < r.count; id++ {
		r.known.windows[id] = window{began, time.Now()}
	}
}

// doAll executes operations concurrently. Their numbers begin with the count of earlier operations.
func (r *run) doAll(ctx context.Context, round []model.Op) []answer {
	answers, calls := make([]answer, len(round)), make([]func() answer, len(round))
	for i, op := range round {
		calls[i] = r.prepare(ctx, op, r.count+i)
	}
	if len(calls) == 1 {
		answers[0] = calls[0]()
		return answers
	}
	var clients sync.WaitGroup
	for i, call := range calls {
		clients.Go(func() { answers[i] = call() })
	}
	clients.Wait()
	return answers
}

// prepare builds what an operation sends, before any operation of its round is executed.
func (r *run) prepare(ctx context.Context, op model.Op, id int) func() answer {
	if !op.Public() {
		return func() answer { return r.call(ctx, op, id) }
	}
	content := op
	content.Key = 0
	before, known := r.requests[op.Key]
	if !known || !op.Keyed() || before.content != content.String() {
		before = request{content.String(), r.public(op)}
	}
	if !known && op.Keyed() {
		r.requests[op.Key] = before
	}
	return func() answer { return r.post(ctx, before.sent) }
}

func (r *run) remember(op model.Op, a answer) {
	if op.Keyed() && (!a.replayed || a.repeated) && !hasCode(a.codes, "IDEMPOTENCY_KEY_REUSED") {
		r.stored[op.Key] = a.text
	}
}

func (r *run) differs(c candidate, round []model.Op, answers []answer, decided []int) string {
	for _, i := range decided {
		if problem := r.differsFrom(c.outcome.Replies[i], round[i], answers[i], c.learned); problem != "" {
			return fmt.Sprintf("%s: %s", round[i], problem)
		}
	}
	return ""
}

func (r *run) differsFrom(want model.Reply, op model.Op, got answer, on *learned) string {
	switch {
	case want.Code == "" && len(got.codes) == 0:
	case want.Code == "" || len(got.codes) == 0 || !hasCode(got.codes, want.Code):
		return fmt.Sprintf("want %d %q, got %d %q %.300v", want.Status, want.Code, got.status, got.codes, got.problem)
	case op.Public() && want.Status != got.status:
		return fmt.Sprintf("want %d, got %d", want.Status, got.status)
	}
	switch {
	case want.Replay != got.replayed && !got.repeated:
		return fmt.Sprintf("want a stored answer: %t, got one: %t", want.Replay, got.replayed)
	case want.Replay && got.text != r.stored[op.Key]:
		return fmt.Sprintf("want the first answer %s, got %s", r.stored[op.Key], got.text)
	case want.Replay:
		return ""
	case want.Code == unresolved && r.crowded:
		return "" // its error_data shows the claim while another operation was half done, which may be the only reason for the refusal
	case want.Code != "":
		return on.differProblem(want.Problem, got.problem)
	}
	return on.differData(want, got)
}

func hasCode(codes []string, code string) bool {
	return slices.Contains(codes, code)
}

func (l *learned) differData(want model.Reply, got answer) string {
	first := ""
	for _, data := range want.Data {
		if got.repeated {
			data = unheard(data)
		}
		on := l.trial()
		problem := on.differ("data", data, got.data)
		if problem == "" {
			on.keep()
			return ""
		}
		if first == "" {
			first = problem
		}
	}
	return first
}

// unheard returns the data expected from a call whose earlier attempt had an unknown outcome: either attempt may have taken
// effect.
func unheard(data model.Object) model.Object {
	data = maps.Clone(data)
	for _, name := range []string{"already_done", "changed", "outcome"} {
		if _, said := data[name]; said {
			data[name] = model.Anything{}
		}
	}
	return data
}

func (l *learned) differProblem(want model.Object, got any) string {
	object, _ := got.(map[string]any)
	for name, value := range want {
		if items, isList := value.([]any); isList && name == "items" {
			if problem := l.differItems(items, object[name]); problem != "" {
				return problem
			}
		} else if problem := l.differ("error_data."+name, value, object[name]); problem != "" {
			return problem
		}
	}
	return ""
}

// differItems compares the items for which a call was refused; they may have more members than the model knows.
func (l *learned) differItems(want []any, got any) string {
	list, _ := got.([]any)
	if len(list) != len(want) {
		return unlike("error_data.items", len(want), got)
	}
	for i := range want {
		wanted, _ := want[i].(model.Object)
		object, _ := list[i].(map[string]any)
		for name, value := range wanted {
			if problem := l.differ(fmt.Sprintf("error_data.items[%d].%s", i, name), value, object[name]); problem != "" {
				return problem
			}
		}
	}
	return ""
}
