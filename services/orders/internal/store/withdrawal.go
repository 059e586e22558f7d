package store

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// memberDigest is the keyed digest of a member's id, by which withdrawals are remembered.
type memberDigest [16]byte

type digestFunc func(memberID string) memberDigest

// members computes the digests of members. The key is that of the database, read when it is needed first.
type members struct{ key atomic.Pointer[[]byte] }

func (m *members) digests(ctx context.Context, pool *postgres.Pool) (digestFunc, error) {
	key := m.key.Load()
	if key == nil {
		var read []byte
		if err := pool.QueryRow(ctx, queries.SQL("MemberKey")).Scan(&read); err != nil {
			return nil, postgres.Classify(postgres.Wrap("read key of members", err))
		}
		key = &read
		m.key.Store(key)
	}
	return func(memberID string) memberDigest {
		mac := hmac.New(sha256.New, *key)
		_, _ = mac.Write([]byte(memberID))
		var digest memberDigest
		copy(digest[:], mac.Sum(nil))
		return digest
	}, nil
}

type withdrawals map[memberDigest]time.Time

// dropForgotten deletes the personal data of the new orders that are from before their members' withdrawals.
func (b *batch) dropForgotten(ctx context.Context) error {
	members := map[int]memberDigest{}
	for i := range b.inserted() {
		if p := &b.placements[i]; p.Contact != (order.Contact{}) {
			members[i] = b.digestOf(p.MemberID)
		}
	}
	if len(members) == 0 {
		return nil
	}
	last, err := shareMembers(ctx, b.tx, slices.Collect(maps.Values(members)))
	if err != nil {
		return err
	}
	for i, member := range members {
		if p := &b.placements[i]; order.IsForgotten(last[member], p.PlacedAt, p.PaidAt) {
			p.Contact = order.Contact{}
		}
	}
	return nil
}

// shareMembers returns the last withdrawals of the members of a placement. A withdrawal that is not among them is not answered
// before the transaction has ended. Members are locked in sorted order, so that placements cannot deadlock.
func shareMembers(ctx context.Context, tx pgx.Tx, of []memberDigest) (withdrawals, error) {
	slices.SortFunc(of, func(a, b memberDigest) int { return bytes.Compare(a[:], b[:]) })
	digests := wireDigests(slices.Compact(of))
	sharing := &pgx.Batch{}
	sharing.Queue(queries.SQL("NoteMembers"), digests)
	sharing.Queue(queries.SQL("ShareMembers"), digests)
	var last withdrawals
	sharing.Queue(queries.SQL("LastWithdrawals"), digests).Query(func(rows pgx.Rows) (err error) {
		last, err = scanWithdrawals(rows)
		return err
	})
	err := tx.SendBatch(ctx, sharing).Close()
	return last, postgres.Wrap("share members", err)
}

// lastWithdrawal returns the last withdrawal of a member, zero if there is none.
func lastWithdrawal(ctx context.Context, tx pgx.Tx, member memberDigest) (time.Time, error) {
	rows, _ := tx.Query(ctx, queries.SQL("LastWithdrawals"), wireDigests([]memberDigest{member}))
	last, err := scanWithdrawals(rows)
	return last[member], postgres.Wrap("find withdrawal", err)
}

func scanWithdrawals(rows pgx.Rows) (withdrawals, error) {
	last := withdrawals{}
	var member []byte
	var at time.Time
	_, err := pgx.ForEachRow(rows, []any{&member, &at}, func() error {
		last[memberDigest(member)] = at
		return nil
	})
	return last, err
}

func wireDigests(digests []memberDigest) [][]byte {
	wire := make([][]byte, len(digests))
	for i := range digests {
		wire[i] = digests[i][:]
	}
	return wire
}

// withdraw records that a member withdraws now, and waits for the placements that do not know it yet. It returns the time of the
// withdrawal: orders from before it are either in the tables by now, or will be stored without personal data.
func (s *Store) withdraw(ctx context.Context, memberID string) (at time.Time, err error) {
	all := postgres.AllSellers(s.pool)
	digestOf, err := s.members.digests(ctx, s.pool)
	if err != nil {
		return time.Time{}, err
	}
	member := digestOf(memberID)
	err = postgres.InTx(ctx, all, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, queries.SQL("NoteMembers"), [][]byte{member[:]}); err != nil {
			return postgres.Wrap("note member", err)
		}
		return postgres.Wrap("withdraw member", tx.QueryRow(ctx, queries.SQL("Withdraw"), member[:]).Scan(&at))
	})
	if err != nil {
		return time.Time{}, err
	}
	return at, postgres.InTx(ctx, all, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, queries.SQL("AwaitPlacements"), member[:], at)
		return postgres.Wrap("await placements", err)
	})
}
