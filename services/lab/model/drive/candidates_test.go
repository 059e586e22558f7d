package drive

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sellerapi.dev/services/lab/model"
)

// candidate is a state to which a round can have led, and what had to be learned for that.
type candidate struct {
	outcome model.Outcome
	learned *learned
}

// explained returns the candidates that match the answers of a round: those in which every operation is atomic, else those
// in which operations with several steps take their time, else those without the actions that were refused because another
// operation was half done. Where a reshipment may wait for its lines, it goes on at once or after the round: both are candidates.
func (r *run) explained(round []model.Op, answers []answer, first int) ([]candidate, string) {
	taken := answered(answers)
	fitting, problems := r.fitting(round, answers, taken, first, false)
	if len(taken) > 1 && (len(fitting) == 0 || r.mayWait(round)) {
		slow, _ := r.fitting(round, answers, taken, first, true)
		fitting = append(fitting, slow...)
	}
	if len(fitting) > 0 {
		return fitting, problems
	}
	decided := r.decided(round, answers, taken)
	if len(decided) == len(taken) {
		return nil, problems
	}
	fitting, _ = r.fitting(round, answers, decided, first, true)
	for _, c := range fitting {
		for _, i := range taken {
			if a := answers[i]; !slices.Contains(decided, i) && !a.replayed {
				c.outcome.Model.Refuse(round[i], a.status, a.codes[0])
			}
		}
	}
	return fitting, problems
}

// answered returns the indexes of the operations of a round without those that have to be retried later because an operator
// acted at the same moment.
func answered(answers []answer) (indexes []int) {
	for i, a := range answers {
		if len(answers) == 1 || !hasCode(a.codes, "QNA_ANSWER_UNRESOLVED") {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

func (r *run) mayWait(round []model.Op) bool {
	return len(r.model.Waiting()) > 0 || slices.ContainsFunc(round, func(op model.Op) bool { return op.Action == model.Reship })
}

func pick[E any](indexes []int, from []E) []E {
	picked := make([]E, 0, len(indexes))
	for _, i := range indexes {
		picked = append(picked, from[i])
	}
	return picked
}

// decided returns the indexes of the operations of a round without the actions that were refused because another operation on the
// claim was half done at that moment, because they had read the lines before a correction, or because they were to ship what an
// operator has canceled in the meantime. Those have changed nothing, whatever became of the other operation.
func (r *run) decided(round []model.Op, answers []answer, taken []int) (decided []int) {
	isOverruling := func(op model.Op) bool { return op.Kind == model.Correct || op.Kind == model.CancelReship }
	isOverruled := slices.ContainsFunc(round, isOverruling)
	for _, i := range taken {
		isHalfDone := func(other int) bool { return other != i && round[other].Claim == round[i].Claim }
		isUndecided := hasCode(answers[i].codes, unresolved) || isOverruled && slices.ContainsFunc(answers[i].codes, isOfTheLines)
		if round[i].Claim == 0 || !isUndecided || !slices.ContainsFunc(taken, isHalfDone) {
			decided = append(decided, i)
		}
	}
	return decided
}

func isOfTheLines(code string) bool { return strings.HasPrefix(code, "CLAIM_NOT_") }

// fitting returns the candidates that match the answers to some operations of a round, and why the others do not. The other
// operations were refused; a reshipment among them may have been seen before.
func (r *run) fitting(round []model.Op, answers []answer, decided []int, first int, slow bool) ([]candidate, string) {
	var fitting []candidate
	var problems strings.Builder
	for _, order := range model.Orders(len(decided)) {
		order = pick(order, decided)
		c := candidate{r.model.Play(round, order, first, slow), r.known.trial()}
		for i, op := range round {
			if op.Action == model.Reship && !slices.Contains(decided, i) {
				c.outcome.Glimpse(op)
			}
		}
		if problem := r.differs(c, round, answers, decided); problem != "" {
			fmt.Fprintf(&problems, "  in the order %v: %s\n", order, problem)
			continue
		}
		fitting = append(fitting, c)
	}
	return fitting, problems.String()
}

// news adopts the only candidate and then reads the orders with items whose ids are not known yet; they must match the candidate.
func (r *run) news(ctx context.Context, c candidate) (string, error) {
	r.adopt(c)
	on := r.known.trial()
	for no, o := range r.model.Orders {
		if !o.Visible() || !r.hasNews(o) {
			continue
		}
		data, err := r.get(ctx, "/open/v1/orders/"+r.names.order(no))
		if err != nil {
			return "", err
		}
		if problem := on.differ(r.names.order(no), r.model.OrderView(no), data); problem != "" {
			return "  in the detail: " + problem + "\n", nil
		}
	}
	on.keep()
	return "", nil
}

func (r *run) hasNews(o *model.Order) bool {
	return slices.ContainsFunc(o.Lines, func(line model.Line) bool {
		_, known := r.known.item(model.ItemID{Order: o.No, Item: line.Code})
		return !known
	})
}

func (r *run) adopt(c candidate) {
	r.model = c.outcome.Model
	c.learned.keep()
}

// distinct removes candidates that equal an earlier one: the order of the operations made no difference.
func distinct(all []candidate) []candidate {
	var left []candidate
	for _, c := range all {
		isSame := func(other candidate) bool {
			return c.outcome.Model.Same(other.outcome.Model) && c.learned.same(other.learned)
		}
		if !slices.ContainsFunc(left, isSame) {
			left = append(left, c)
		}
	}
	return left
}
