package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// now returns the time of the database.
func now(t *testing.T, s *Store) time.Time {
	t.Helper()
	at, err := s.Now(t.Context())
	require.NoError(t, err)
	return at
}

func forget(t *testing.T, s *Store) int {
	t.Helper()
	forgotten, err := s.Forget(t.Context(), "member-1")
	require.NoError(t, err)
	return forgotten
}

func requireContact(t *testing.T, s *Store, seller uuid.UUID, no string, has bool) {
	t.Helper()
	found, err := s.Find(t.Context(), seller, no)
	require.NoError(t, err)
	require.Equal(t, has, found.Contact != order.Contact{}, no)
}

// What arrives after a withdrawal is stored without personal data if it is from before, however late it arrives. A member who
// came back is a member: the orders can be shipped, until the next withdrawal.
func TestForget_whatArrivesLater(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	seller := uuid.New()
	place(t, s, ordertest.New("THERE", ordertest.Epoch, seller))
	before := now(t, s)
	require.Equal(t, 1, forget(t, s))
	stranger := ordertest.New("STRANGER", before, seller)
	stranger.MemberID = "member-2"
	imported := ordertest.New("IMPORTED", ordertest.Epoch, seller, uuid.New())
	ordertest.History(&imported.Parts[0].Lines[0], ordertest.Epoch, time.Hour, order.Shipping, order.Delivered)
	place(t, s, ordertest.New("LATE", before, seller), imported, stranger, ordertest.New("PENDING", time.Time{}, seller),
		ordertest.New("BACK", now(t, s), seller), ordertest.New("BACK-PENDING", time.Time{}, seller))
	for no, paidAt := range map[string]time.Time{"PENDING": before, "BACK-PENDING": now(t, s)} {
		changed, err := s.EndPayment(t.Context(), no, order.PaymentPaid, paidAt)
		require.NoError(t, err)
		require.True(t, changed)
	}
	for no, has := range map[string]bool{
		"THERE": false, "LATE": false, "IMPORTED": false, "PENDING": false, "STRANGER": true, "BACK": true, "BACK-PENDING": true,
	} {
		requireContact(t, s, seller, no, has)
	}
	require.Equal(t, 3, rowCount(t, db, "member_orders"))

	require.Equal(t, 2, forget(t, s), "the member withdraws again")
	for _, no := range []string{"BACK", "BACK-PENDING"} {
		requireContact(t, s, seller, no, false)
	}
	requireContact(t, s, seller, "STRANGER", true)
	require.Zero(t, forget(t, s))
	results, err := s.Place(t.Context(), []order.Placement{imported})
	require.NoError(t, err)
	require.Equal(t, order.AlreadyPlaced, results[0].Outcome, "a repetition is recognised by what was sent")
}

// The order of an unpaid order is its placement, even if it is paid after the withdrawal.
func TestForget_paidAfterwards(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller := uuid.New()
	place(t, s, ordertest.New("PENDING", time.Time{}, seller))
	require.Equal(t, 1, forget(t, s))
	_, err := s.EndPayment(t.Context(), "PENDING", order.PaymentPaid, now(t, s))
	require.NoError(t, err)
	requireContact(t, s, seller, "PENDING", false)
}

// The database keeps a digest of the member's id with its key.
func TestForget_keepsDigest(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	for range 2 {
		require.Zero(t, forget(t, s))
	}
	var kept, key []byte
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select distinct member from withdrawals").Scan(&kept), "one member")
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select key from member_key").Scan(&key))
	require.Len(t, key, sha256.Size)
	plain, mac := sha256.Sum256([]byte("member-1")), hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte("member-1"))
	require.NotEqual(t, plain[:len(kept)], kept)
	require.Equal(t, mac.Sum(nil)[:len(kept)], kept)
}

func blocked(t *testing.T, db *pgtest.DB, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return blocks(t, db.Pool, pid) }, time.Minute, 5*time.Millisecond, "a statement waits")
}

// whilePlacing begins a placement that stops inside of its transaction, because another transaction holds what a statement
// takes, runs a call meanwhile, and returns when both have ended.
func whilePlacing(t *testing.T, s *Store, db *pgtest.DB, hold string, placements []order.Placement, meanwhile func() error) {
	t.Helper()
	var group errgroup.Group
	require.ErrorIs(t, postgres.InTx(t.Context(), postgres.AllSellers(db.Pool), func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, hold)
		require.NoError(t, err)
		var pid int
		require.NoError(t, tx.QueryRow(ctx, "select pg_backend_pid()").Scan(&pid))
		group.Go(func() error {
			_, err := s.Place(t.Context(), placements)
			return err
		})
		blocked(t, db, pid)
		if err := meanwhile(); err != nil {
			return err
		}
		return context.Canceled
	}), context.Canceled)
	require.NoError(t, group.Wait())
}

// heldAt are the two sides of the point at which a placement looks for withdrawals: a transaction that has what it takes
// before, and one that has what it takes after.
func heldAt(seller uuid.UUID) map[string]string {
	return map[string]string{
		"before": `insert into order_numbers (order_no, order_id, sellers, content) values ('R-0001', gen_random_uuid(), array[gen_random_uuid()], '')`,
		"after":  fmt.Sprintf("insert into seller_clock (seller_id, last) values ('%s', now())", seller),
	}
}

// A placement and a withdrawal that run at the same time end as if the placement had been first, whichever commits first: a
// success of the withdrawal says that nothing is left.
func TestForget_whilePlacing(t *testing.T) {
	t.Parallel()
	for _, known := range []bool{false, true} {
		for name := range heldAt(uuid.Nil) {
			t.Run(fmt.Sprintf("%s/known=%t", name, known), func(t *testing.T) {
				t.Parallel()
				s, db := setup(t)
				seller := uuid.New()
				if known {
					place(t, s, ordertest.New("R-0000", ordertest.Epoch, uuid.New()))
				}
				placements := []order.Placement{
					ordertest.New("R-0001", now(t, s), seller), ordertest.New("R-0002", now(t, s).Add(order.ClockSlack), seller),
					ordertest.New("R-0003", time.Time{}, seller),
				}
				var forgetting errgroup.Group
				whilePlacing(t, s, db, heldAt(seller)[name], placements, func() error {
					forgetting.Go(func() error {
						_, err := s.Forget(t.Context(), "member-1")
						return err
					})
					if name == "before" {
						return forgetting.Wait()
					}
					require.Eventually(t, func() bool { return waiters(t, db) == 2 }, time.Minute, 5*time.Millisecond, "the withdrawal waits")
					return nil
				})
				require.NoError(t, forgetting.Wait())
				require.Zero(t, withContact(t, db))
				require.Zero(t, rowCount(t, db, "member_orders"))
				require.Positive(t, rowCount(t, db, "orders"))
			})
		}
	}
}

func waiters(t *testing.T, db *pgtest.DB) (count int) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*) from pg_stat_activity
		where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`).Scan(&count))
	return count
}

func withContact(t *testing.T, db *pgtest.DB) (count int) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(),
		"select count(*) from orders where num_nonnulls(orderer_name, address1, ship_memo) > 0").Scan(&count))
	return count
}

// Many writers place orders of one member, from before and from now, while the member withdraws twice. When the withdrawal is
// answered, no order from before it has personal data, nor does one come later; every order from after it keeps them. The
// writers do not hold the withdrawal up, nor each other.
func TestForget_manyWriters(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	forgetUnderWriters(t, s, db, 15)
}

func forgetUnderWriters(t *testing.T, s *Store, db *pgtest.DB, batch int) {
	t.Helper()
	const writers, withdrawals = 6, 2
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	seller := uuid.New()
	group, ctx := errgroup.WithContext(ctx)
	var rounds atomic.Int64
	for writer := range writers {
		group.Go(func() error {
			for round := 0; ctx.Err() == nil; round++ {
				if _, err := s.Place(context.WithoutCancel(ctx), raced(t, s, fmt.Sprintf("%d-%d", writer, round), seller,
					batch)); err != nil {
					return err
				}
				rounds.Add(1)
			}
			return nil
		})
	}
	await := func(count int64) {
		until := rounds.Load() + count
		require.Eventually(t, func() bool { return rounds.Load() >= until || ctx.Err() != nil }, time.Minute, 5*time.Millisecond)
	}
	var last time.Time
	for range withdrawals {
		await(2 * writers)
		from := now(t, s)
		forget(t, s)
		require.Zero(t, contactsUntil(t, db, from), "the withdrawal is answered")
		last = now(t, s)
	}
	await(2 * writers)
	stop()
	require.NoError(t, group.Wait())
	var withdrawnAt time.Time
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select max(withdrawn_at) from withdrawals").Scan(&withdrawnAt))
	require.Zero(t, contactsUntil(t, db, withdrawnAt))
	var bare int
	require.NoError(t, db.Pool.QueryRow(t.Context(),
		"select count(*) from orders where orderer_name is null and least(paid_at, placed_at) > $1", withdrawnAt).Scan(&bare))
	require.Zero(t, bare, "who came back is known")
	var kept int
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select count(*) from orders where orderer_name is not null and paid_at > $1",
		last).Scan(&kept))
	require.Positive(t, kept)
}

// raced returns orders of a member: a third from long ago, a third from now, and unpaid ones.
func raced(t *testing.T, s *Store, prefix string, seller uuid.UUID, count int) []order.Placement {
	t.Helper()
	placements := make([]order.Placement, count)
	for i := range placements {
		paidAt := []time.Time{ordertest.Epoch, now(t, s), {}}[i%3]
		placements[i] = ordertest.New(fmt.Sprintf("W-%s-%d", prefix, i), paidAt, seller)
	}
	return placements
}

func contactsUntil(t *testing.T, db *pgtest.DB, until time.Time) (count int) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*) from orders
		where num_nonnulls(orderer_name, address1, ship_memo) > 0 and least(paid_at, placed_at) <= $1`, until).Scan(&count))
	return count
}

// Batches with the same members in any order do not wait for each other in a circle, nor do withdrawals of these members.
func TestForget_ofManyMembers(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	const members, batches = 60, 6
	seller := uuid.New()
	var group errgroup.Group
	for batch := range batches {
		group.Go(func() error {
			placements := make([]order.Placement, members)
			for i := range placements {
				placements[i] = ordertest.New(fmt.Sprintf("N-%d-%d", batch, i), ordertest.Epoch, seller)
				placements[i].MemberID = fmt.Sprintf("m-%d", (i*(2*batch+1)+batch)%members)
			}
			_, err := s.Place(t.Context(), placements)
			return err
		})
	}
	for member := range members {
		group.Go(func() error {
			_, err := s.Forget(t.Context(), fmt.Sprintf("m-%d", member))
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.Equal(t, members*batches, rowCount(t, db, "orders"))
	require.Zero(t, withContact(t, db))
}
