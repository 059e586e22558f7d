package market

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// small means goods that cost less than their return shipping.
	small = "small"
	// dearer and cheaper compare an exchange's new option with the one that it replaces.
	dearer, cheaper = "dearer", "cheaper"
	// account means a refund that waits for the customer's bank account, failing one that fails.
	account, failing = "account", "failing"
)

// anyFault is the fault of a story to which every reason fits.
const anyFault = "any"

type claimStory struct {
	kind string
	// asked is how long ago the customer requested the claim; its status is the claim's type.
	asked   step
	fault   string
	special []string
	steps   []step
	// state is the state to which the steps lead, or to which the passing of time leads afterwards.
	state string
}

func (s *claimStory) is(special string) bool { return slices.Contains(s.special, special) }

// isFresh reports whether only the customer has acted so far and the refund will be an ordinary
// one.
func (s *claimStory) isFresh() bool {
	for _, next := range s.steps {
		if next.status != pay {
			return false
		}
	}
	return (s.state == "requested" || s.state == "payment_pending") && !s.is(account) && !s.is(failing)
}

func (t *tables) addClaim(cells []string) error {
	asked, err := parseStep(cells[0] + " " + cells[1])
	if err != nil {
		return err
	}
	told := claimStory{kind: cells[0], asked: asked, fault: cells[2], special: strings.Fields(cells[3]), state: cells[5]}
	if cells[4] != "-" {
		for text := range strings.SplitSeq(cells[4], ", ") {
			next, err := parseStep(text)
			if err != nil {
				return err
			}
			if claimActs[next.status] == nil {
				return fmt.Errorf("no party can %q a claim", next.status)
			}
			told.steps = append(told.steps, next)
		}
	}
	t.claims = append(t.claims, told)
	return nil
}

// addReason adds a reason under its type and fault, and under its type and anyFault.
func (t *tables) addReason(cells []string) error {
	for _, fault := range []string{cells[1], anyFault} {
		name := cells[0] + " " + fault
		table := t.reasons[name]
		if err := addText(&table, cells[2:]); err != nil {
			return err
		}
		t.reasons[name] = table
	}
	return nil
}

func (t *tables) addRemark(cells []string) error {
	table := t.remarks[cells[0]]
	err := addText(&table, []string{cells[2], cells[1]})
	t.remarks[cells[0]] = table
	return err
}

// remark generates the note on a step of a claim, or "" for a step without one.
func (m *Market) remark(d draw, kind, act string) string {
	for _, name := range []string{act, kind + " " + act} {
		if table, known := m.tables.remarks[name]; known {
			return pick(d, table)
		}
	}
	return ""
}
