package store

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Now returns the database time, which is the basis of all timestamps.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var now time.Time
	err := s.pool.QueryRow(ctx, queries.SQL("Now")).Scan(&now)
	return now, postgres.Classify(err)
}

// Times returns the earliest and the latest time of the sellers of the placements.
func (s *Store) Times(ctx context.Context, placements []order.Placement) (earliest, latest time.Time, err error) {
	var sellers []uuid.UUID
	for i := range placements {
		sellers = append(sellers, placements[i].Sellers()...)
	}
	return postgres.SellerTimes(ctx, s.pool, sellers)
}

// Place stores the placements, which have passed their checks, in one transaction and returns the result of each. An order
// number that is there already, also one that another call is placing at this moment or that stands twice among the placements,
// is placed once. An order from before its member withdrew is stored without personal data. It is a *order.TakenError when an
// item id belongs to another order, and Unavailable when a node of a distributed database has not committed an earlier call with
// the same order yet. They arrive at the earliest of their sellers' times.
func (s *Store) Place(ctx context.Context, placements []order.Placement) ([]order.PlaceResult, error) {
	arrived, _, err := s.Times(ctx, placements)
	if err != nil {
		return nil, err
	}
	digestOf, err := s.members.digests(ctx, s.pool)
	if err != nil {
		return nil, err
	}
	attempt := func() ([]order.PlaceResult, error) {
		place := func(ctx context.Context, tx pgx.Tx) ([]order.PlaceResult, error) {
			return newBatch(tx, placements, arrived, digestOf, s.terms).place(ctx)
		}
		return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), place)
	}
	results, err := attempt()
	if postgres.Violates(err, "item_ids_pkey") {
		// A concurrent transaction placed an item with the same id since the check; now it is visible.
		results, err = attempt()
	}
	return results, err
}

type batch struct {
	tx         pgx.Tx
	terms      order.Terms
	digestOf   digestFunc
	placements []order.Placement
	digests    [][]byte
	// first maps an order number to the index of the first placement with it.
	first map[string]int
	// ids maps an order number to the id of the inserted order.
	ids map[string]uuid.UUID
	// there maps an order number to the order that existed before.
	there map[string]placed
	// items maps the index of an inserted placement to its item ids.
	items map[int][]uuid.UUID
}

// placed is an order that existed before.
type placed struct {
	content []byte
	items   []uuid.UUID
}

// newBatch returns a batch of the placements as they are stored when they arrive, with the digests of what was sent.
func newBatch(tx pgx.Tx, sent []order.Placement, arrived time.Time, digestOf digestFunc, terms order.Terms) *batch {
	b := &batch{
		tx: tx, terms: terms, digestOf: digestOf, placements: make([]order.Placement, len(sent)), digests: make([][]byte, len(sent)),
		first: make(map[string]int, len(sent)), ids: make(map[string]uuid.UUID, len(sent)),
		there: map[string]placed{}, items: make(map[int][]uuid.UUID, len(sent)),
	}
	for i := range sent {
		digest := sent[i].Digest()
		b.digests[i], b.placements[i] = digest[:], sent[i].Arrived(arrived)
		if _, twice := b.first[sent[i].No]; !twice {
			b.first[sent[i].No] = i
		}
	}
	return b
}

func (b *batch) place(ctx context.Context) ([]order.PlaceResult, error) {
	for _, step := range []func(context.Context) error{b.takeNumbers, b.findPlaced, b.chooseItems, b.dropForgotten, b.insertRows} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return b.results()
}

// takeNumbers reserves the order numbers that are free, with new order ids.
func (b *batch) takeNumbers(ctx context.Context) error {
	n := len(b.first)
	numbers, ids, sellers, contents := make([]string, 0, n), make([]pgtype.UUID, 0, n), make([]string, 0, n), make([][]byte, 0, n)
	chosen := make(map[string]uuid.UUID, n)
	for i := range b.placements {
		p := &b.placements[i]
		if b.first[p.No] != i {
			continue
		}
		id := newID()
		chosen[p.No] = id
		numbers, ids = append(numbers, p.No), append(ids, wireUUID(id))
		sellers, contents = append(sellers, arrayText(uuidTexts(p.Sellers()))), append(contents, b.digests[i])
	}
	rows, _ := b.tx.Query(ctx, queries.SQL("TakeNumbers"), numbers, ids, sellers, contents)
	var no string
	_, err := pgx.ForEachRow(rows, []any{&no}, func() error {
		b.ids[no] = chosen[no]
		return nil
	})
	return postgres.Wrap("reserve order numbers", err)
}

func (b *batch) findPlaced(ctx context.Context) error {
	var numbers []string
	for no := range b.first {
		if _, inserted := b.ids[no]; !inserted {
			numbers = append(numbers, no)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	found, err := postgres.Collect(ctx, b.tx, pgx.RowToStructByPos[foundOrder], queries.SQL("FindPlaced"), numbers)
	if err != nil {
		return fmt.Errorf("find placed orders: %w", err)
	}
	items, err := itemsOf(ctx, b.tx, found)
	if err != nil {
		return err
	}
	for _, o := range found {
		b.there[o.No] = placed{content: o.Content, items: items[o.ID]}
	}
	return nil
}

type foundOrder struct {
	No      string
	ID      uuid.UUID
	Sellers []uuid.UUID
	Content []byte
}

// itemsOf returns the item ids of orders, in the order of their codes.
func itemsOf(ctx context.Context, tx pgx.Tx, found []foundOrder) (map[uuid.UUID][]uuid.UUID, error) {
	sellers, ids := make([]uuid.UUID, 0, len(found)), make([]uuid.UUID, 0, len(found))
	for _, o := range found {
		sellers, ids = append(sellers, o.Sellers...), append(ids, o.ID)
	}
	rows, _ := tx.Query(ctx, queries.SQL("ItemsOfOrders"), sellers, ids)
	items := make(map[uuid.UUID][]uuid.UUID, len(found))
	var id uuid.UUID
	var its []uuid.UUID
	_, err := pgx.ForEachRow(rows, []any{&id, &its}, func() error {
		items[id] = its
		its = nil
		return nil
	})
	return items, postgres.Wrap("find items of orders", err)
}

// chooseItems chooses the item ids of the inserted orders: those from the marketplace, and new ones for lines without an id. It
// returns a *order.TakenError if one is taken.
func (b *batch) chooseItems(ctx context.Context) error {
	chosen := map[uuid.UUID]order.TakenError{}
	for i := range b.inserted() {
		for j, part := range b.placements[i].Parts {
			for k, line := range part.Lines {
				id := line.ID
				if id == uuid.Nil {
					id = newID()
				} else {
					chosen[id] = order.TakenError{Placement: i, Part: j, Line: k}
				}
				b.items[i] = append(b.items[i], id)
			}
		}
	}
	return b.requireFree(ctx, chosen)
}

// requireFree returns a *order.TakenError if an item already has one of the ids.
func (b *batch) requireFree(ctx context.Context, chosen map[uuid.UUID]order.TakenError) error {
	if len(chosen) == 0 {
		return nil
	}
	ids := slices.Collect(maps.Keys(chosen))
	taken, err := postgres.Collect(ctx, b.tx, pgx.RowTo[uuid.UUID], queries.SQL("FindTakenItems"), ids)
	if err != nil {
		return fmt.Errorf("find taken items: %w", err)
	}
	if len(taken) > 0 {
		where := chosen[taken[0]]
		return &where
	}
	return nil
}

func (b *batch) inserted() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range b.placements {
			no := b.placements[i].No
			if _, inserted := b.ids[no]; inserted && b.first[no] == i && !yield(i) {
				return
			}
		}
	}
}

// results returns the result of each placement. Unavailable when a node of a distributed database has not committed items of an
// earlier one yet.
func (b *batch) results() ([]order.PlaceResult, error) {
	results := make([]order.PlaceResult, len(b.placements))
	for i := range b.placements {
		no := b.placements[i].No
		first := b.first[no]
		before, isThere := b.there[no]
		if !isThere {
			before = placed{content: b.digests[first], items: b.items[first]}
		}
		switch {
		case !isThere && first == i:
			results[i] = order.PlaceResult{Outcome: order.Placed, ItemIDs: before.items}
		case bytes.Equal(before.content, b.digests[i]):
			count := b.placements[i].Lines()
			if len(before.items) < count {
				return nil, apierr.Unavailable.Because(errUncommitted)
			}
			// Items that were added later, by a split or an exchange, have higher codes.
			results[i] = order.PlaceResult{Outcome: order.AlreadyPlaced, ItemIDs: before.items[:count]}
		default:
			results[i] = order.PlaceResult{Outcome: order.PlaceConflict}
		}
	}
	return results, nil
}

// stamp returns a timestamp, null for a zero time.
func stamp(at time.Time) pgtype.Timestamptz { return pgtype.Timestamptz{Time: at, Valid: !at.IsZero()} }
