package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// Now returns the latest time of the sellers, which is the basis of all timestamps.
func (s *Store) Now(ctx context.Context, sellers []uuid.UUID) (time.Time, error) {
	_, latest, err := postgres.SellerTimes(ctx, s.pool, sellers)
	return latest, err
}

// Post stores new inquiries and returns the outcome of each, in their order. It is idempotent by qna_id, also against
// calls that run at the same time.
//
// The ids are taken first: of two calls that bring the same one, for whatever seller, the second waits here for the first,
// and all take them in one order. The sellers' clocks are taken before the rows are written, because a row needs its time
// when it is inserted: to give it one later would write every row and its index entries twice, under the same clocks. Calls
// of one seller therefore run one after another.
func (s *Store) Post(ctx context.Context, batch []inquiry.Posted) ([]inquiry.PostOutcome, error) {
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool),
		func(ctx context.Context, tx pgx.Tx) ([]inquiry.PostOutcome, error) {
			return post(ctx, tx, batch)
		})
}

func post(ctx context.Context, tx pgx.Tx, batch []inquiry.Posted) ([]inquiry.PostOutcome, error) {
	known, err := findPosted(ctx, tx, batch)
	if err != nil {
		return nil, err
	}
	outcomes, fresh := classify(batch, known)
	if len(fresh) == 0 {
		return outcomes, nil
	}
	claimed, err := claim(ctx, tx, fresh)
	if err != nil {
		return nil, err
	}
	if len(claimed) < len(fresh) {
		if outcomes, fresh, err = overtaken(ctx, tx, batch, claimed); err != nil {
			return nil, err
		}
	}
	return outcomes, insert(ctx, tx, fresh)
}

// overtaken is classify when another call has brought some of the inquiries after they were looked for. It has committed by
// now, so that they are found; those whose ids this call has taken are the new ones.
func overtaken(
	ctx context.Context, tx pgx.Tx, batch []inquiry.Posted, claimed map[uuid.UUID]bool,
) ([]inquiry.PostOutcome, []inquiry.Posted, error) {
	known, err := findPosted(ctx, tx, batch)
	if err != nil {
		return nil, nil, err
	}
	for id := range claimed {
		delete(known, id)
	}
	outcomes, fresh := classify(batch, known)
	return outcomes, fresh, nil
}

func classify(batch []inquiry.Posted, known map[uuid.UUID][sha256.Size]byte) ([]inquiry.PostOutcome, []inquiry.Posted) {
	ledger := inquiry.NewLedger(known)
	outcomes := make([]inquiry.PostOutcome, 0, len(batch))
	var fresh []inquiry.Posted
	for i := range batch {
		outcome := ledger.Enter(batch[i].QnaID, batch[i].Digest())
		if outcome == inquiry.PostNew {
			fresh = append(fresh, batch[i])
		}
		outcomes = append(outcomes, outcome)
	}
	return outcomes, fresh
}

// findPosted returns the digests of the inquiries of the batch that are already stored.
func findPosted(ctx context.Context, tx pgx.Tx, batch []inquiry.Posted) (map[uuid.UUID][sha256.Size]byte, error) {
	ids := make([]uuid.UUID, 0, len(batch))
	for _, posted := range batch {
		ids = append(ids, posted.QnaID)
	}
	rows, _ := tx.Query(ctx, queries.SQL("FindPosted"), ids)
	known := map[uuid.UUID][sha256.Size]byte{}
	var id uuid.UUID
	var digest []byte
	_, err := pgx.ForEachRow(rows, []any{&id, &digest}, func() error {
		if len(digest) != sha256.Size {
			return fmt.Errorf("the digest of %s has %d bytes", id, len(digest))
		}
		known[id] = [sha256.Size]byte(digest)
		return nil
	})
	return known, postgres.Wrap("find posted inquiries", err)
}

// claim reserves the ids of new inquiries and returns those that were still free.
func claim(ctx context.Context, tx pgx.Tx, fresh []inquiry.Posted) (map[uuid.UUID]bool, error) {
	n := len(fresh)
	ids, sellers, digests := make([]uuid.UUID, n), make([]uuid.UUID, n), make([][]byte, n)
	for i := range fresh {
		digest := fresh[i].Digest()
		ids[i], sellers[i], digests[i] = fresh[i].QnaID, fresh[i].SellerID, digest[:]
	}
	rows, _ := tx.Query(ctx, queries.SQL("ClaimIDs"), ids, sellers, digests)
	claimed := make(map[uuid.UUID]bool, n)
	var id uuid.UUID
	_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
		claimed[id] = true
		return nil
	})
	return claimed, postgres.Wrap("claim ids of inquiries", err)
}

func insert(ctx context.Context, tx pgx.Tx, fresh []inquiry.Posted) error {
	times, err := postgres.TickSellers(ctx, tx, sellersOf(fresh))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, queries.SQL("InsertInquiries"), columnsOf(fresh, times)...)
	return postgres.Wrap("insert inquiries", err)
}

// sellersOf returns the sellers of the inquiries, each once.
func sellersOf(batch []inquiry.Posted) []uuid.UUID {
	seen := map[uuid.UUID]bool{}
	var sellers []uuid.UUID
	for _, posted := range batch {
		if !seen[posted.SellerID] {
			seen[posted.SellerID] = true
			sellers = append(sellers, posted.SellerID)
		}
	}
	return sellers
}

func columnsOf(batch []inquiry.Posted, times map[uuid.UUID]time.Time) []any {
	n := len(batch)
	var (
		ids, sellers, products  = make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n)
		names, categories       = make([]string, n), make([]string, n)
		bodies, members, images = make([]string, n), make([]string, n), make([]string, n)
		secrets                 = make([]bool, n)
		created, updated        = make([]time.Time, n), make([]time.Time, n)
	)
	for i := range batch {
		p := &batch[i]
		ids[i], sellers[i], products[i] = p.QnaID, p.SellerID, p.ProductID
		names[i], categories[i], bodies[i], secrets[i] = p.ProductName, string(p.Category), p.Body, p.IsSecret
		members[i], images[i] = p.MemberDisplayName, strings.Join(p.ImageURLs, "\n")
		updated[i] = times[p.SellerID]
		created[i] = p.CreatedAt
		if created[i].After(updated[i]) { // the marketplace's clock is ahead
			created[i] = updated[i]
		}
	}
	return []any{ids, sellers, products, names, categories, bodies, secrets, members, images, created, updated, inquiry.Waiting}
}
