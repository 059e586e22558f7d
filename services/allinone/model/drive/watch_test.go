package drive

import (
	"context"
	"fmt"
	"slices"

	"sellerapi.dev/services/allinone/model"
)

// watchEvery is how many rounds with something decided about a claim there are to one that is watched.
const watchEvery = 6

// watch lets another client read a claim of the round again and again, and its order as soon as the claim shows that something was
// decided: then the order must be as the claim says. What is returned ends it, and says how it is not; empty when it is.
func (r *run) watch(ctx context.Context, round []model.Op) (end func() string) {
	c := r.watched(round)
	if c == nil {
		return func() string { return "" }
	}
	over, found := make(chan struct{}), make(chan string, 1)
	go func() {
		for {
			problem, isDecided := r.glance(ctx, c)
			select {
			case <-over:
				found <- problem
				return
			default:
			}
			if isDecided {
				found <- problem
				return
			}
		}
	}()
	return func() string {
		close(over)
		return <-found
	}
}

// watched is the claim of a round that is to be watched; nil for none.
func (r *run) watched(round []model.Op) *model.Claim {
	open := r.undecidedClaims(round)
	if len(open) == 0 {
		return nil
	}
	if r.decisions++; r.decisions%watchEvery != 0 {
		return nil
	}
	return open[len(open)-1]
}

// undecidedClaims are the claims of a round that have not shown yet that something was decided; none when lines may come into other hands.
func (r *run) undecidedClaims(round []model.Op) []*model.Claim {
	var open []*model.Claim
	for _, op := range round {
		if op.Kind == model.RequestClaim || op.Kind == model.Convert {
			return nil
		}
		if c := r.model.Claims[op.Claim]; c != nil && !model.Promises[c.Status] {
			open = append(open, c)
		}
	}
	return open
}

// atAnswer looks at the claims of a round about which an answer says that something was decided, before anything else is waited for: the
// order must be as the answer says. The text is how it is not.
func (r *run) atAnswer(ctx context.Context, round []model.Op, answers []answer) string {
	open := r.undecidedClaims(round)
	for i, op := range round {
		said, _ := answers[i].data.(map[string]any)
		status, _ := said["status"].(string)
		if !model.Promises[status] || !slices.Contains(open, r.model.Claims[op.Claim]) {
			continue
		}
		if problem, _ := r.glance(ctx, r.model.Claims[op.Claim]); problem != "" {
			return problem
		}
	}
	return ""
}

// glance reads a claim and, when it promises something of its order, the order.
func (r *run) glance(ctx context.Context, c *model.Claim) (problem string, isDecided bool) {
	claim := r.read(ctx, "/open/v1/claims/"+r.names.claim(c.No))
	status, _ := claim["status"].(string)
	if !model.Promises[status] {
		return "", false
	}
	order := r.read(ctx, "/open/v1/orders/"+r.names.order(c.Order))
	if order == nil {
		return "", false
	}
	return broken(claim, order), true
}

// read reads a record; nil when it cannot be read now.
func (r *run) read(ctx context.Context, path string) map[string]any {
	data, err := r.get(ctx, path)
	if err != nil {
		return nil
	}
	object, _ := data.(map[string]any)
	return object
}

// broken says which promise of a claim an order does not keep that was read after it.
func broken(claim, order map[string]any) string {
	standsIn, lines := 0, map[any]map[string]any{}
	items, _ := order["items"].([]any)
	for _, item := range items {
		line, _ := item.(map[string]any)
		lines[line["item_id"]] = line
		if line["exchange_claim_no"] == claim["claim_no"] {
			standsIn++
		}
	}
	claimed, _ := claim["items"].([]any)
	for _, item := range claimed {
		one, _ := item.(map[string]any)
		line := lines[one["item_id"]]
		status, _ := claim["status"].(string)
		kind, _ := claim["type"].(string)
		if problem := model.Breaks(kind, status, fmt.Sprint(line["item_status"]), line["has_active_claim"] == true, standsIn); problem != "" {
			return fmt.Sprintf("  at a glance: %v is %s, and %v %s\n", claim["claim_no"], status, line["item_code"], problem)
		}
	}
	return ""
}
