package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/claims/internal/claim"
)

// itemColumns are the items of a claim as FindClaim returns them: one array per column, all in the order of the items.
type itemColumns struct {
	ids                                         pgtype.FlatArray[uuid.UUID]
	settled                                     pgtype.FlatArray[*uuid.UUID]
	codes, products, options, exchanged         []string
	quantities, listPrices, unitPrices          []int64
	goods, differences, points, alreadyRefunded []int64
}

func (c *itemColumns) targets() []any {
	return []any{
		&c.ids, &c.settled, &c.codes, &c.quantities, &c.products, &c.options, &c.exchanged, &c.listPrices,
		&c.unitPrices, &c.goods, &c.differences, &c.points, &c.alreadyRefunded,
	}
}

func (c *itemColumns) items() []claim.Item {
	items := make([]claim.Item, len(c.ids))
	for i := range items {
		items[i] = claim.Item{
			ItemID: c.ids[i], SettledItemID: c.settled[i], ItemCode: c.codes[i], Quantity: c.quantities[i],
			ProductName: c.products[i], OptionName: c.options[i], ExchangeOptionName: c.exchanged[i], ExchangeListPrice: c.listPrices[i],
			ExchangeUnitPrice: c.unitPrices[i], Goods: c.goods[i],
			Difference: c.differences[i], Points: c.points[i], AlreadyRefunded: c.alreadyRefunded[i],
		}
	}
	return items
}

// evidenceColumns are the evidence of a claim in the same form, unordered.
type evidenceColumns struct {
	actions     pgtype.FlatArray[claim.Trigger]
	carriers    pgtype.FlatArray[carrier.Name]
	trackingNos pgtype.FlatArray[carrier.TrackingNo]
	results     pgtype.FlatArray[claim.Result]
	memos       []string
	actors      pgtype.FlatArray[claim.ActorKind]
	names       []string
	prefixes    []string
	requests    []string
	times       []time.Time
	pending     []bool
	hidden      []bool
}

func (c *evidenceColumns) targets() []any {
	return []any{
		&c.actions, &c.carriers, &c.trackingNos, &c.results, &c.memos, &c.actors, &c.names, &c.prefixes, &c.requests, &c.times,
		&c.pending, &c.hidden,
	}
}

// evidences returns the evidence in chronological order; nil if there is none.
func (c *evidenceColumns) evidences() claim.Evidences {
	if len(c.actions) == 0 {
		return nil
	}
	performed := make(claim.Evidences, len(c.actions))
	for i := range performed {
		performed[i] = claim.Evidence{
			Action:  c.actions[i],
			Values:  claim.Values{Carrier: c.carriers[i], TrackingNo: c.trackingNos[i], Result: c.results[i], Memo: c.memos[i]},
			Actor:   claim.Actor{Kind: c.actors[i], Name: c.names[i], KeyPrefix: c.prefixes[i], RequestID: c.requests[i]},
			At:      c.times[i].UTC(),
			Pending: c.pending[i],
			Hidden:  c.hidden[i],
		}
	}
	slices.SortFunc(performed, func(a, b claim.Evidence) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Action, b.Action))
	})
	return performed
}
