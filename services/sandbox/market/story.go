package market

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// shipped is the state from which a line has a parcel.
const shipped = "shipping"

type story struct {
	name  string
	steps []step
}

// step is a state that a line enters, and the range of times after the previous one.
type step struct {
	status          string
	soonest, latest time.Duration
}

func (t *tables) addStory(cells []string) error {
	weight, err := strconv.Atoi(cells[1])
	if err != nil {
		return err
	}
	told := story{name: cells[0]}
	for text := range strings.SplitSeq(cells[2], ", ") {
		next, err := parseStep(text)
		if err != nil {
			return err
		}
		told.steps = append(told.steps, next)
	}
	t.stories.add(told, weight)
	return nil
}

func parseStep(text string) (step, error) {
	status, span, _ := strings.Cut(text, " ")
	soonest, latest, found := strings.Cut(span, "-")
	if !found {
		return step{}, fmt.Errorf("step %q is not like %q", text, "shipping 3h-30h")
	}
	from, errFrom := time.ParseDuration(soonest)
	to, errTo := time.ParseDuration(latest)
	return step{status, from, to}, firstOf(errFrom, errTo)
}

type fate struct {
	history []*ordersv1.PastChange
	parcel  *ordersv1.Shipment
}

// fate draws a story and returns the part that happens from the payment until now.
func (m *Market) fate(d draw, paidAt, now time.Time) fate {
	var told fate
	at := paidAt
	for _, next := range pick(d, m.tables.stories).steps {
		at = at.Add(d.between(next.soonest, next.latest))
		if at.After(now) {
			break
		}
		told.history = append(told.history, &ordersv1.PastChange{ItemStatus: next.status, ChangedAt: timestamppb.New(at)})
		if next.status == shipped {
			told.parcel = m.parcel(d)
		}
	}
	return told
}

func (m *Market) parcel(d draw) *ordersv1.Shipment {
	by := pick(d, m.tables.carriers)
	parcel := &ordersv1.Shipment{CarrierName: by.name, TrackingNo: d.pattern(by.pattern)}
	if company := pick(d, m.tables.logistics); company != "" {
		parcel.LogisticsCompany = &company
	}
	return parcel
}
