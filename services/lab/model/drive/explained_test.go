package drive

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/lab/model"
)

// waiting are the operations after which an exchange waits to be reshipped, because a return holds its exchange line.
const waiting = `[
	{"kind":"place","order":1,"place":{"lines":[{"quantity":1,"unit":700,"state":"delivered"}],"shipping_base":3000}},
	{"kind":"request-claim","order":1,"claim":1,"type":"exchange","reason":"defective",
		"wanted":[{"item":1,"quantity":1,"unit":700}]},
	{"kind":"act-claim","key":1,"claim":1,"action":"approve"},
	{"kind":"act-claim","key":2,"claim":1,"action":"pickup","parcel":{"carrier":"한진택배","tracking_no":"412345678901"}},
	{"kind":"act-claim","key":3,"claim":1,"action":"collect-done"},
	{"kind":"act-claim","key":4,"claim":1,"action":"inspect","result":"pass"},
	{"kind":"correct","order":1,"items":[2],"to":"delivered","act":1,"parcel":{"carrier":"한진택배","tracking_no":"412345678901"}},
	{"kind":"request-claim","order":1,"claim":2,"type":"return","reason":"defective","wanted":[{"item":2,"quantity":1}]},
	{"kind":"correct","order":1,"items":[2],"to":"preparing","act":2},
	{"kind":"act-claim","key":5,"claim":1,"action":"reship","parcel":{"carrier":"CJ대한통운","tracking_no":"612345678901"}}]`

// twoCorrections are concurrent corrections of that exchange line: to the parcel of the reshipment that waits, and to another
// one.
const twoCorrections = `[
	{"kind":"correct","order":1,"items":[2],"to":"delivered","act":3,"parcel":{"carrier":"한진택배","tracking_no":"412345678901"}},
	{"kind":"correct","order":1,"items":[2],"to":"delivered","act":4,"parcel":{"carrier":"CJ대한통운","tracking_no":"612345678901"}}]`

func operationsOf(t *testing.T, text string) []model.Op {
	t.Helper()
	var ops []model.Op
	require.NoError(t, json.Unmarshal([]byte(text), &ops))
	return ops
}

// A reshipment that waits for its line goes on between two concurrent corrections of the line or after both: with the other
// parcel in between it is refused, so four outcomes have the same answers, and reading the records tells which one happened.
func TestExplained_reshipmentGoesOnLater(t *testing.T) {
	t.Parallel()
	r := &run{names: newNames(), model: model.New(), crowded: true}
	r.known = newLearned(r.names)
	before := operationsOf(t, waiting)
	for id, op := range before {
		r.model.Apply(op, id)
	}
	require.Equal(t, []int{1}, r.model.Waiting())
	changed := answer{status: http.StatusOK, data: map[string]any{"changed": true}}
	fitting, problems := r.explained(operationsOf(t, twoCorrections), []answer{changed, changed}, len(before))
	require.Empty(t, problems)
	outcomes := make([]string, 0, len(fitting))
	for _, c := range distinct(fitting) {
		line := c.outcome.Model.Orders[1].Lines[1]
		outcomes = append(outcomes, c.outcome.Model.Claims[1].Status+" "+line.Parcel.Carrier)
	}
	slices.Sort(outcomes)
	require.Equal(t, []string{"completed CJ대한통운", "completed 한진택배", "reshipping CJ대한통운", "reshipping 한진택배"}, outcomes)
}

// A reshipment can be in progress when the answers leave open whether it waits.
func TestMayGoOn(t *testing.T) {
	t.Parallel()
	waits, done := model.New(), model.New()
	waits.Claims[1], done.Claims[1] = &model.Claim{No: 1, Registered: &model.Evidence{}}, &model.Claim{No: 1}
	of := func(models ...*model.Model) (candidates []candidate) {
		for _, m := range models {
			candidates = append(candidates, candidate{outcome: model.Outcome{Model: m}})
		}
		return candidates
	}
	require.False(t, mayGoOn(of(waits)))
	require.False(t, mayGoOn(of(done, done)))
	require.False(t, mayGoOn(of(waits, waits)))
	require.True(t, mayGoOn(of(waits, done)))
	require.True(t, mayGoOn(of(done, waits)))
}
