package drive

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"sellerapi.dev/services/lab/model"
)

type stamped struct {
	changes   int
	updatedAt string
}

type record struct {
	name    string
	changes int
	view    func() model.Object
}

type list struct {
	path, id string
	records  func(m *model.Model, n *names) []record
}

const inquiryID = "qna_id"

var lists = []list{
	{"/open/v1/orders", "order_no", func(m *model.Model, n *names) []record {
		return recordsOf(m.Orders, n.order, m.OrderView, func(o *model.Order) int { return o.Changes }, (*model.Order).Visible)
	}},
	{"/open/v1/claims", "claim_no", func(m *model.Model, n *names) []record {
		return recordsOf(m.Claims, n.claim, m.ClaimView, func(c *model.Claim) int { return c.Changes }, nil)
	}},
	{"/open/v1/qna", inquiryID, func(m *model.Model, n *names) []record {
		return recordsOf(m.Inquiries, n.inquiry, m.InquiryView, func(i *model.Inquiry) int { return i.Changes }, nil)
	}},
}

func recordsOf[R any](
	all map[int]*R, name func(int) string, view func(int) model.Object, changes func(*R) int, isShown func(*R) bool,
) []record {
	found := make([]record, 0, len(all))
	for no, one := range all {
		if isShown == nil || isShown(one) {
			found = append(found, record{name(no), changes(one), func() model.Object { return view(no) }})
		}
	}
	return found
}

// rest compares what has changed since the last comparison with the candidates, and adopts the one that matches. Nothing
// may be in progress but reshipments that wait in some of the candidates: these are given time to go on. settle waits for
// everything else.
func (r *run) rest(ctx context.Context, candidates []candidate, settle func() error) (problem string, err error) {
	changes := func(l list) string {
		if newest := r.newest[l.path]; newest != "" {
			return "&updated_at_gte=" + newest
		}
		return ""
	}
	if !mayGoOn(candidates) {
		return r.compare(ctx, candidates, changes)
	}
	var before [][]any
	problem = "  at rest: the records do not stop changing\n"
	err = awhile(ctx, settleTimeout, nil, func() (matches bool, err error) {
		if err := settle(); err != nil {
			return false, err
		}
		fetched, err := r.fetch(ctx, candidates, changes)
		if isSame := reflect.DeepEqual(fetched, before); err != nil || !isSame {
			before = fetched
			return false, err
		}
		problem = r.match(candidates, fetched, changes)
		return problem == "", nil
	})
	return problem, err
}

// mayGoOn reports whether a reshipment waits for its lines in one candidate and not in another, so that it can be in progress.
func mayGoOn(candidates []candidate) bool {
	return slices.ContainsFunc(candidates, func(c candidate) bool {
		return !slices.Equal(c.outcome.Model.Waiting(), candidates[0].outcome.Model.Waiting())
	})
}

func (r *run) everything(ctx context.Context) (string, error) {
	now := candidate{model.Outcome{Model: r.model}, r.known.trial()}
	return r.compare(ctx, []candidate{now}, func(list) string { return "" })
}

// compare reads the lists, each with its filter, and adopts the first candidate that matches them.
func (r *run) compare(ctx context.Context, candidates []candidate, filter func(list) string) (string, error) {
	fetched, err := r.fetch(ctx, candidates, filter)
	if err != nil {
		return "", err
	}
	return r.match(candidates, fetched, filter), nil
}

func (r *run) fetch(ctx context.Context, candidates []candidate, filter func(list) string) (fetched [][]any, err error) {
	fetched = make([][]any, len(lists))
	for i, l := range lists {
		if filter(l) != "" && !r.hasMoved(l, candidates) {
			continue // what must not change is read at the end
		}
		if fetched[i], err = r.walk(ctx, l.path+"?limit=100"+filter(l)); err != nil {
			return nil, err
		}
	}
	return fetched, nil
}

// match adopts the first candidate that matches what was fetched. It describes how it differs from the first one if none does.
func (r *run) match(candidates []candidate, fetched [][]any, filter func(list) string) string {
	first := ""
	for _, c := range candidates {
		on := c.learned.trial()
		problem, seen := r.differsAtRest(c.outcome.Model, on, fetched, filter)
		if problem == "" {
			on.keep()
			r.adopt(c)
			r.keep(seen, fetched)
			return ""
		}
		if first == "" {
			first = problem
		}
	}
	return "  at rest: " + first + "\n"
}

func (r *run) hasMoved(l list, candidates []candidate) bool {
	return slices.ContainsFunc(candidates, func(c candidate) bool {
		return slices.ContainsFunc(l.records(c.outcome.Model, r.names), r.hasChanged)
	})
}

func (r *run) keep(seen map[string]stamped, fetched [][]any) {
	maps.Copy(r.seen, seen)
	for name := range seen {
		delete(r.vague, name)
	}
	for i, l := range lists {
		if len(fetched[i]) > 0 {
			object, _ := fetched[i][0].(map[string]any)
			r.newest[l.path], _ = object["updated_at"].(string)
		}
	}
}

func (r *run) walk(ctx context.Context, path string) ([]any, error) {
	all := []any{}
	for cursor := ""; ; {
		data, err := r.get(ctx, path+cursor)
		if err != nil {
			return nil, err
		}
		page, _ := data.(map[string]any)
		elements, _ := page["list"].([]any)
		all = append(all, elements...)
		next, more := page["next_cursor"].(string)
		if !more {
			return all, nil
		}
		cursor = "&cursor=" + next
	}
}

func (r *run) differsAtRest(m *model.Model, on *learned, fetched [][]any, filter func(list) string) (string, map[string]stamped) {
	seen := map[string]stamped{}
	for i, l := range lists {
		if fetched[i] == nil && filter(l) != "" {
			continue
		}
		if problem := r.differsList(l, l.records(m, r.names), on, fetched[i], filter(l) == "", seen); problem != "" {
			return problem, nil
		}
	}
	for no := range m.Claims {
		if problem := r.differsPayouts(m.Claims[no]); problem != "" {
			return problem, nil
		}
	}
	return "", seen
}

// differsList compares a list, latest change first, with the records that it must hold: all of them, or those that have
// changed since the last comparison.
func (r *run) differsList(l list, want []record, on *learned, got []any, all bool, seen map[string]stamped) string {
	elements, problem := l.elements(got)
	if problem != "" {
		return problem
	}
	found := 0
	for _, one := range want {
		element, isThere := elements[one.name]
		if !isThere && (all || r.hasChanged(one)) {
			return fmt.Sprintf("%s: %s is missing", l.path, one.name)
		}
		if !isThere {
			continue
		}
		found++
		if problem := on.differ(one.name, one.view(), element); problem != "" {
			return problem
		}
		updatedAt, _ := element["updated_at"].(string)
		seen[one.name] = stamped{one.changes, updatedAt}
		if problem := r.differsStamp(one, updatedAt); problem != "" {
			return problem
		}
	}
	if found != len(elements) {
		return fmt.Sprintf("%s: want %d records, got %d", l.path, found, len(elements))
	}
	return ""
}

func (r *run) hasChanged(one record) bool {
	before, known := r.seen[one.name]
	return !known || one.changes > before.changes
}

// elements returns the elements of a list by name. It reports a duplicate, or an element that is not in the order of updated_at.
func (l list) elements(got []any) (elements map[string]map[string]any, problem string) {
	elements, last := map[string]map[string]any{}, ""
	for _, element := range got {
		object, _ := element.(map[string]any)
		name, _ := object[l.id].(string)
		updatedAt, _ := object["updated_at"].(string)
		if elements[name] != nil || last != "" && updatedAt > last {
			return nil, fmt.Sprintf("%s: %s stands where it must not", l.path, name)
		}
		elements[name], last = object, updatedAt
	}
	return elements, ""
}

// differsStamp reports an updated_at that changed although the record did not, did not change although the record did, or
// went back.
func (r *run) differsStamp(want record, updatedAt string) string {
	before, known := r.seen[want.name]
	switch {
	case !known:
		return ""
	case want.changes > before.changes && updatedAt <= before.updatedAt:
		return want.name + ": has changed, and updated_at has not moved"
	case want.changes == before.changes && updatedAt != before.updatedAt && !r.vague[want.name]:
		return fmt.Sprintf("%s: has not changed, and updated_at moves from %s to %s", want.name, before.updatedAt, updatedAt)
	case updatedAt < before.updatedAt:
		return want.name + ": updated_at moves back"
	default:
		return ""
	}
}

func (r *run) differsPayouts(c *model.Claim) string {
	asked := r.system.provider.of(r.names.claim(c.No))
	left := slices.Clone(c.Asked)
	for _, one := range asked {
		at := slices.Index(left, model.Payout{Kind: one.Kind, Money: one.Amount, Points: one.Points})
		if at < 0 || one.OrderNo != r.names.order(c.Order) || one.SellerID != r.seller {
			return fmt.Sprintf("%s: want payouts %+v, got %+v", one.ClaimNo, c.Asked, asked)
		}
		left = slices.Delete(left, at, at+1)
	}
	if len(left) > 0 {
		return fmt.Sprintf("%s: want payouts %+v, got %+v", r.names.claim(c.No), c.Asked, asked)
	}
	return ""
}

// details compares every detail with the model, and lists that are filtered and read in small pages.
func (r *run) details(ctx context.Context) (string, error) {
	on := r.known.trial()
	for _, l := range lists[:2] {
		records := l.records(r.model, r.names)
		for _, one := range records {
			data, err := r.get(ctx, l.path+"/"+one.name)
			if err != nil {
				return "", err
			}
			if problem := on.differ(one.name, one.view(), data); problem != "" {
				return "  in the detail: " + problem + "\n", nil
			}
		}
		if problem, err := r.filtered(ctx, l, records, on); err != nil || problem != "" {
			return problem, err
		}
	}
	return "", nil
}

var filters = map[string]string{"/open/v1/orders": "order_status", "/open/v1/claims": "status"}

func (r *run) filtered(ctx context.Context, l list, records []record, on *learned) (string, error) {
	if len(records) == 0 {
		return "", nil
	}
	field := filters[l.path]
	value, _ := records[0].view()[field].(string)
	fit := slices.DeleteFunc(records, func(one record) bool { return one.view()[field] != value })
	got, err := r.walk(ctx, l.path+"?limit=2&"+field+"="+value)
	if err != nil {
		return "", err
	}
	problem := r.differsList(l, fit, on, got, true, map[string]stamped{})
	if problem != "" {
		problem = "  in the list with " + field + "=" + value + ": " + problem + "\n"
	}
	return problem, nil
}
