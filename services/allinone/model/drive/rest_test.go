//go:build model

package drive

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"sellerapi.dev/services/allinone/model"
)

// restPatience is how long what follows a change by itself may take before a difference is one.
const restPatience = 5 * time.Second

// shrinkPause is the same while rounds are played again that are known to fail.
const shrinkPause = time.Second

// stamped is how a record was at the last rest.
type stamped struct {
	changes   int
	updatedAt string
}

// record is one that the model has, and how it is called.
type record struct {
	name    string
	view    model.Object
	changes int
}

// list is one of the lists, with what it must hold.
type list struct {
	path, id string
	records  func(m *model.Model, n *names) []record
}

var lists = []list{
	{"/open/v1/orders", "order_no", func(m *model.Model, n *names) []record {
		return recordsOf(m.Orders, n.order, m.OrderView, func(o *model.Order) int { return o.Changes })
	}},
	{"/open/v1/claims", "claim_no", func(m *model.Model, n *names) []record {
		return recordsOf(m.Claims, n.claim, m.ClaimView, func(c *model.Claim) int { return c.Changes })
	}},
	{"/open/v1/qna", "qna_id", func(m *model.Model, n *names) []record {
		return recordsOf(m.Inquiries, n.inquiry, m.InquiryView, func(i *model.Inquiry) int { return i.Changes })
	}},
}

func recordsOf[R any](all map[int]*R, name func(int) string, view func(int) model.Object, changes func(*R) int) []record {
	var found []record
	for _, no := range slices.Sorted(maps.Keys(all)) {
		if shown := view(no); shown != nil {
			found = append(found, record{name(no), shown, changes(all[no])})
		}
	}
	return found
}

// rest compares everything, and takes the candidate that it is like. What has not come to its end yet is looked at again.
func (r *run) rest(ctx context.Context, candidates []candidate) (string, error) {
	for until := time.Now().Add(r.patience); ; {
		fetched, err := r.fetch(ctx)
		if err != nil {
			return "", err
		}
		var problem string
		for _, c := range candidates {
			on := c.learned.trial(c.learned.since)
			found, seen := r.differsAtRest(c.outcome.Model, on, fetched)
			if found == "" {
				on.keep()
				r.adopt(c)
				r.seen, r.vague = seen, false
				return "", nil
			}
			if problem == "" {
				problem = found
			}
		}
		if time.Now().After(until) {
			return "  at rest: " + problem + "\n", nil
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(restPause):
		}
	}
}

// restPause is the time between two looks.
const restPause = 50 * time.Millisecond

// fetch reads all lists.
func (r *run) fetch(ctx context.Context) ([][]any, error) {
	fetched := make([][]any, 0, len(lists))
	for _, l := range lists {
		all, err := r.walk(ctx, l.path+"?limit=100")
		if err != nil {
			return nil, err
		}
		fetched = append(fetched, all)
	}
	return fetched, nil
}

// walk reads all pages of a list.
func (r *run) walk(ctx context.Context, path string) ([]any, error) {
	var all []any
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

// differsAtRest compares everything with one state of the model.
func (r *run) differsAtRest(m *model.Model, on *learned, fetched [][]any) (string, map[string]stamped) {
	seen := map[string]stamped{}
	for i, l := range lists {
		if problem := r.differsList(l, l.records(m, r.names), on, fetched[i], seen); problem != "" {
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

// differsList compares a list with the records that it must hold, latest change first.
func (r *run) differsList(l list, want []record, on *learned, got []any, seen map[string]stamped) string {
	elements, last := map[string]any{}, ""
	for _, element := range got {
		object, _ := element.(map[string]any)
		name, _ := object[l.id].(string)
		updatedAt, _ := object["updated_at"].(string)
		if elements[name] != nil || last != "" && updatedAt > last {
			return fmt.Sprintf("%s: %s stands where it must not", l.path, name)
		}
		elements[name], last = element, updatedAt
	}
	if len(elements) != len(want) {
		return fmt.Sprintf("%s: want %d records, got %d", l.path, len(want), len(elements))
	}
	for _, one := range want {
		if problem := on.differ(one.name, one.view, elements[one.name]); problem != "" {
			return problem
		}
		object, _ := elements[one.name].(map[string]any)
		updatedAt, _ := object["updated_at"].(string)
		seen[one.name] = stamped{one.changes, updatedAt}
		if problem := r.differsStamp(one, updatedAt); problem != "" {
			return problem
		}
	}
	return ""
}

// differsStamp says how updated_at has moved that should not, or has not that should.
func (r *run) differsStamp(want record, updatedAt string) string {
	before, known := r.seen[want.name]
	switch {
	case !known:
		return ""
	case want.changes > before.changes && updatedAt <= before.updatedAt:
		return want.name + ": has changed, and updated_at has not moved"
	case want.changes == before.changes && updatedAt != before.updatedAt && !r.vague:
		return fmt.Sprintf("%s: has not changed, and updated_at moves from %s to %s", want.name, before.updatedAt, updatedAt)
	case updatedAt < before.updatedAt:
		return want.name + ": updated_at moves back"
	default:
		return ""
	}
}

// differsPayouts compares what the provider was asked for with what it should have been.
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

// details compares every detail with its element of the list, and lists that are walked in small pages or filtered.
func (r *run) details(ctx context.Context) (string, error) {
	on := r.known.trial(time.Now())
	for _, l := range lists[:2] {
		records := l.records(r.model, r.names)
		for _, one := range records {
			data, err := r.get(ctx, l.path+"/"+one.name)
			if err != nil {
				return "", err
			}
			if problem := on.differ(one.name, one.view, data); problem != "" {
				return "  in the detail: " + problem + "\n", nil
			}
		}
		if problem, err := r.filtered(ctx, l, records, on); err != nil || problem != "" {
			return problem, err
		}
	}
	return "", nil
}

// filters are the fields that lists are filtered by, in the order of lists.
var filters = map[string]string{"/open/v1/orders": "order_status", "/open/v1/claims": "status"}

// filtered walks a list in small pages, of the records with the same value as the first.
func (r *run) filtered(ctx context.Context, l list, records []record, on *learned) (string, error) {
	if len(records) == 0 {
		return "", nil
	}
	field := filters[l.path]
	value, _ := records[0].view[field].(string)
	fit := slices.DeleteFunc(records, func(one record) bool { return one.view[field] != value })
	got, err := r.walk(ctx, l.path+"?limit=2&"+field+"="+value)
	if err != nil {
		return "", err
	}
	problem := r.differsList(l, fit, on, got, map[string]stamped{})
	if problem != "" {
		problem = "  in the list with " + field + "=" + value + ": " + problem + "\n"
	}
	return problem, nil
}
