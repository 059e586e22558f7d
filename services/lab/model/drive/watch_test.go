package drive

import (
	"context"
	"fmt"
	"slices"

	"sellerapi.dev/services/lab/model"
)

// watchEvery is the number of rounds that may decide something about a claim per round that is watched.
const watchEvery = 6

// watch lets another client poll a claim of the round, and read its order as soon as the claim shows that something was
// decided: the order must then be as the claim promises. The returned function ends this and describes a broken promise, or
// returns "".
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

// undecidedClaims returns the claims of a round that do not show a decision yet. It returns none when the round may give
// lines to another claim.
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

// atAnswer reads the claims of a round about which an answer shows a decision, before the driver waits for anything else:
// the order must be as the answer promises. The returned text describes a broken promise.
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

// glance reads a claim and, when the claim promises something about its order, the order.
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

// read reads a record. It returns nil when the record cannot be read.
func (r *run) read(ctx context.Context, path string) map[string]any {
	data, err := r.get(ctx, path)
	if err != nil {
		return nil
	}
	object, _ := data.(map[string]any)
	return object
}

// broken describes which promise of a claim its order, which was read afterwards, does not keep.
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
		if problem := model.Breaks(kind, status, fmt.Sprint(line["item_status"]), line["has_active_claim"] == true,
			standsIn); problem != "" {
			return fmt.Sprintf("  at a glance: %v is %s, and %v %s\n", claim["claim_no"], status, line["item_code"], problem)
		}
	}
	return ""
}
