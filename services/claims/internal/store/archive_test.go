package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// paidBack returns a claim that ended, with every kind of row that a claim can have, and no work left.
func (b fixture) paidBack(t *testing.T, seller uuid.UUID) claim.Claim {
	t.Helper()
	c := b.act(t, b.openOne(t, seller, claim.Cancel), claim.Approve, claim.Values{})
	refunds, err := b.store.Refunds(t.Context(), seller, c.No)
	require.NoError(t, err)
	for _, refunding := range []store.Refunding{sending, succeeding} {
		_, err = b.store.ChangeRefund(t.Context(), seller, c.No, refunds[0].ID, refunding)
		require.NoError(t, err)
	}
	steps, err := b.store.PendingSteps(t.Context(), seller, c.No)
	require.NoError(t, err)
	for _, step := range steps {
		require.NoError(t, b.store.FinishStep(t.Context(), step))
	}
	return b.get(t, c)
}

// archive archives the claim, however recently it was changed.
func (b fixture) archive(t *testing.T, c claim.Claim) {
	t.Helper()
	archived, err := b.store.Archive(t.Context(), store.DueClaim{SellerID: c.SellerID, ClaimNo: c.No}, 0)
	require.NoError(t, err)
	require.True(t, archived)
}

// rows returns all rows of claims as the database prints them.
func (b fixture) rows(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, table := range []string{"claims", "claim_items", "evidence", "history", "refunds", "ledger"} {
		all[table] = b.texts(t, "select coalesce(json_agg(t order by t::text), '[]')::text from "+table+" t")[0]
	}
	return all
}

// archived returns the number of claims in the archive.
func (b fixture) archived(t *testing.T) string {
	t.Helper()
	return b.texts(t, "select count(*)::text from archived_claims")[0]
}

// Detail and refunds are the same as before, the list no longer shows the claim, and all rows come back unchanged.
func TestArchive_detailStaysListEnds(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.paidBack(t, seller)
	refunds, err := b.store.Refunds(t.Context(), seller, c.No)
	require.NoError(t, err)
	rows := b.rows(t)
	b.archive(t, c)
	require.Equal(t, c, b.get(t, c))
	kept, err := b.store.Refunds(t.Context(), seller, c.No)
	require.NoError(t, err)
	require.Equal(t, refunds, kept)
	require.Empty(t, b.walk(t, seller, claim.Filter{}, 10))
	for table, text := range b.rows(t) {
		require.NotEqual(t, "[]", rows[table], table)
		require.Equal(t, "[]", text, table)
	}
	_, err = b.store.Get(t.Context(), uuid.New(), c.No)
	require.ErrorIs(t, err, apierr.ClaimNotFound, "a claim of another seller")

	outcome, err := b.store.Change(t.Context(), seller, c.No, deciding(claim.Approve, claim.Values{}))
	require.NoError(t, err)
	require.Equal(t, claim.AlreadyDone, outcome.Decision.Verdict)
	require.Equal(t, rows, b.rows(t))
}

// A claim with unfinished work is not archived, and neither are the other claims of its order: a state, a refund, a step; and none
// before its time.
func TestArchive_whatHasNotEnded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before func(t *testing.T, b fixture, c claim.Claim)
		after  time.Duration
	}{
		"changed recently": {after: time.Hour},
		"refund": {before: func(t *testing.T, b fixture, _ claim.Claim) {
			t.Helper()
			_, err := b.Pool.Exec(t.Context(), "update refunds set status = 'manual', succeeded_at = null")
			require.NoError(t, err)
		}},
		"step": {before: func(t *testing.T, b fixture, c claim.Claim) {
			t.Helper()
			_, err := b.Pool.Exec(t.Context(), `insert into steps (seller_id, claim_no, name, ref, step_id)
				values ($1, $2, 'touch-order', '', gen_random_uuid())`, c.SellerID, c.No)
			require.NoError(t, err)
		}},
		"another claim open": {before: func(t *testing.T, b fixture, c claim.Claim) {
			t.Helper()
			w := wanted(c.SellerID, claim.Return)
			w.OrderNo = c.OrderNo
			b.open(t, w)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c := b.paidBack(t, uuid.New())
			if test.before != nil {
				test.before(t, b, c)
			}
			const clock = "select last::text from seller_clock"
			before := b.texts(t, clock)
			archived, err := b.store.Archive(t.Context(), store.DueClaim{SellerID: c.SellerID, ClaimNo: c.No}, test.after)
			require.NoError(t, err)
			require.False(t, archived)
			require.Equal(t, "0", b.archived(t))
			require.Equal(t, before, b.texts(t, clock), "other writers of the seller would wait for its clock")
		})
	}
}

// Every call about an archived claim has the same result as if it had not been archived.
func TestArchive_everyWayIn(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(b fixture, c claim.Claim) (any, error){
		"reject": func(b fixture, c claim.Claim) (any, error) {
			_, err := b.store.Change(t.Context(), c.SellerID, c.No, deciding(claim.Reject, claim.Values{Memo: "no"}))
			return nil, err
		},
		"approve again": func(b fixture, c claim.Claim) (any, error) {
			outcome, err := b.store.Change(t.Context(), c.SellerID, c.No, deciding(claim.Approve, claim.Values{}))
			return fmt.Sprint(outcome.Decision.Verdict, outcome.Claim.Status), err
		},
		"refund": func(b fixture, c claim.Claim) (any, error) {
			refunds, err := b.store.Refunds(t.Context(), c.SellerID, c.No)
			if err != nil {
				return nil, err
			}
			outcome, err := b.store.ChangeRefund(t.Context(), c.SellerID, c.No, refunds[0].ID,
				func(claim.Refund, time.Time) (claim.Refund, []claim.Entry, bool, store.Deciding) {
					return refunds[0], nil, false, nil
				})
			return outcome.Refund.Status, err
		},
		"convert": func(b fixture, c claim.Claim) (any, error) {
			_, err := b.convert(t, c, "R-"+c.SellerID.String())
			return nil, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stayed, moved := setup(t), setup(t)
			first, second := stayed.paidBack(t, uuid.New()), moved.paidBack(t, uuid.New())
			moved.archive(t, second)
			for range 2 {
				wanted, wantedErr := call(stayed, first)
				got, err := call(moved, second)
				require.Equal(t, codeOf(wantedErr), codeOf(err))
				require.Equal(t, wanted, got)
			}
		})
	}
}

// codeOf returns the code of an error; empty for nil.
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return string(apierr.From(err).Code)
}

// A repeated request finds its claim, and a new one on the same order finds what the archived claims have undone.
func TestArchive_requests(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	w := wanted(seller, claim.Cancel)
	c := b.act(t, b.open(t, w), claim.Reject, claim.Values{Memo: "no"})
	_, err := b.Pool.Exec(t.Context(), "delete from steps")
	require.NoError(t, err)
	c = b.get(t, c)
	b.archive(t, c)
	again, err := b.store.Opened(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, c, again)
	require.Equal(t, "1", b.archived(t))

	other := wanted(seller, claim.Cancel)
	other.OrderNo = c.OrderNo
	b.open(t, other)
	require.Equal(t, "0", b.archived(t), "the claims of an order are together")
	require.ElementsMatch(t, []string{c.No, other.No}, b.walk(t, seller, claim.Filter{}, 10))
}

// The sweep archives a claim once when its time has come, and an operator brings it back as just changed.
func TestArchiveEnded_sweepAndBringBack(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c, open := b.paidBack(t, seller), b.openOne(t, seller, claim.Return)
	for _, test := range []struct {
		after    time.Duration
		archived string
	}{{time.Hour, "0"}, {time.Nanosecond, "1"}, {time.Nanosecond, "1"}} {
		_, err := sweep.New(b.store.ArchiveEnded(test.after), telemetrytest.Discard(t)).Once(t.Context())
		require.NoError(t, err)
		require.Equal(t, test.archived, b.archived(t))
	}
	require.Equal(t, []string{open.No}, b.walk(t, seller, claim.Filter{}, 10))
	for _, wanted := range []bool{true, false} {
		back, err := b.store.BringBack(t.Context(), c.No)
		require.NoError(t, err)
		require.Equal(t, wanted, back)
	}
	page, err := b.store.List(t.Context(), seller, claim.Filter{}, nil, paging.MaxLimit)
	require.NoError(t, err)
	require.Equal(t, c.No, page.Rows[0].No)
	require.True(t, page.Rows[0].UpdatedAt.After(c.UpdatedAt))
}

// However many claims cannot be archived yet, those behind them are.
func TestArchiveEnded_behindUnfinished(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for range 21 {
		b.paidBack(t, seller)
	}
	_, err := b.Pool.Exec(t.Context(), `insert into steps (seller_id, claim_no, name, ref, step_id)
		select seller_id, claim_no, 'touch-order', '', gen_random_uuid() from claims`)
	require.NoError(t, err)
	b.paidBack(t, seller)
	find, done := b.store.ArchiveEnded(0).Find, 0
	for range 22 / 2 {
		items, err := find(t.Context(), 2)
		require.NoError(t, err)
		for _, item := range items {
			if err := item.Do(t.Context()); err == nil {
				done++
			} else {
				require.ErrorIs(t, err, sweep.ErrSkipped, item.Key)
			}
		}
	}
	require.Equal(t, 1, done)
	require.Equal(t, "1", b.archived(t))
}

// A claim that moves to and from the archive is always found, and is not left in the archive when another claim of its order begins.
func TestArchive_races(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.paidBack(t, seller)
	var wg sync.WaitGroup
	failures := make(chan error, 500)
	for range 3 {
		wg.Go(func() {
			for range 25 {
				_, err := b.store.Archive(t.Context(), store.DueClaim{SellerID: seller, ClaimNo: c.No}, 0)
				failures <- err
			}
		})
		wg.Go(func() {
			for range 25 {
				_, err := b.store.Change(t.Context(), seller, c.No, deciding(claim.Approve, claim.Values{}))
				failures <- err
			}
		})
		wg.Go(func() {
			for range 50 {
				got, err := b.store.Get(t.Context(), seller, c.No)
				if err == nil && got.Status != c.Status {
					err = errors.New("found " + string(got.Status))
				}
				failures <- err
			}
		})
	}
	wg.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
}

// Whatever restores claims has the seller's clock first, as a new claim of their order does, so that the two cannot wait for each other.
func TestBringBack_clockBeforeArchive(t *testing.T) {
	t.Parallel()
	for name, restore := range map[string]func(ctx context.Context, b fixture, c claim.Claim) error{
		"by an operator": func(ctx context.Context, b fixture, c claim.Claim) error {
			_, err := b.store.BringBack(ctx, c.No)
			return err
		},
		"by a change": func(ctx context.Context, b fixture, c claim.Claim) error {
			_, err := b.store.Change(ctx, c.SellerID, c.No, deciding(claim.Approve, claim.Values{}))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c := b.paidBack(t, uuid.New())
			b.archive(t, c)
			clock, err := b.Pool.Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = clock.Rollback(context.WithoutCancel(t.Context())) }()
			_, err = postgres.TickSeller(t.Context(), clock, c.SellerID)
			require.NoError(t, err)
			restored := make(chan error, 1)
			go func() { restored <- restore(t.Context(), b, c) }()
			require.Eventually(t, func() bool {
				var waits bool
				err := b.Pool.QueryRow(t.Context(), "select exists (select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)))",
					clock.Conn().PgConn().PID()).Scan(&waits)
				return err == nil && waits
			}, time.Minute, 5*time.Millisecond)
			_, err = clock.Exec(t.Context(), "select from archived_claims for update nowait")
			require.NoError(t, err)
			require.NoError(t, clock.Commit(t.Context()))
			require.NoError(t, <-restored)
		})
	}
}
