package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
)

// A repeated request finds the current state of its claim; the number with other content is refused.
func TestOpen_repeatedFindsItsClaim(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Return)
	_, err := b.store.Opened(t.Context(), w)
	require.ErrorIs(t, err, apierr.ClaimNotFound)
	c := b.act(t, b.open(t, w), claim.Approve, claim.Values{})
	again, err := b.request(t, w, func(claim.Policy, time.Time) (claim.Change, error) {
		return claim.Change{}, errors.New("the rules are not asked again")
	})
	require.NoError(t, err)
	require.Equal(t, c, again)

	w.Items[0].Quantity = 1
	_, err = b.store.Opened(t.Context(), w)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused)
	_, err = b.request(t, w, nil)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused)
}

// Concurrent repetitions of a request open one claim, and all of them get it.
func TestOpen_concurrentRequestsOneClaim(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Exchange)
	opened, failures := make([]claim.Claim, 12), make([]error, 12)
	var wg sync.WaitGroup
	for i := range opened {
		wg.Go(func() {
			opened[i], failures[i] = b.request(t, w, func(policy claim.Policy, now time.Time) (claim.Change, error) {
				return claim.Open(w, heldFor(w, now), policy, claim.DefaultPeriods(), now)
			})
		})
	}
	wg.Wait()
	for i := range opened {
		require.NoError(t, failures[i])
		require.Equal(t, opened[0], opened[i])
	}
	require.Len(t, b.texts(t, "select claim_no from claims"), 1)
	require.Len(t, b.texts(t, "select trigger from history"), 1)
}

// A refused request leaves nothing behind.
func TestOpen_refusedLeavesNothing(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Return)
	_, err := b.request(t, w, func(claim.Policy, time.Time) (claim.Change, error) {
		return claim.Change{}, apierr.ClaimNotApprovable
	})
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	require.Empty(t, b.texts(t, "select claim_no from claims"))
}

func (b fixture) giveUp(t *testing.T, w claim.Wanted) {
	t.Helper()
	step, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	require.NoError(t, b.store.FinishStep(t.Context(), step))
}

// A number belongs to one request of all sellers from the time when it is planned until it is abandoned.
func TestNumber_uniqueOverAllSellers(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Cancel)
	other := w
	other.SellerID = uuid.New()
	step, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	_, err = b.store.PlanOpening(t.Context(), other)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused, "noted")
	_, err = b.store.Opened(t.Context(), other)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused, "noted")
	_, err = b.store.Opened(t.Context(), w)
	require.ErrorIs(t, err, apierr.ClaimNotFound, "planned but not opened")
	require.NoError(t, b.store.FinishStep(t.Context(), step))
	_, err = b.store.Seller(t.Context(), w.No)
	require.ErrorIs(t, err, apierr.ClaimNotFound, "the opening was given up")

	c := b.open(t, other)
	_, err = b.store.PlanOpening(t.Context(), w)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused, "opened")
	_, err = b.store.Open(t.Context(), step, claim.Won, nil)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused, "opened by another seller meanwhile")
	require.NoError(t, b.store.FinishStep(t.Context(), step), "the number belongs to another seller")
	b.giveUp(t, other)
	owner, err := b.store.Seller(t.Context(), c.No)
	require.NoError(t, err, "giving up a repetition keeps the claim's number")
	require.Equal(t, other.SellerID, owner)
}

// Calls that abandon a request while others plan it leave either both, the number and its step, or neither.
func TestNumber_notedAndGivenUpInRace(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Cancel)
	failures := make([]error, 8)
	var wg sync.WaitGroup
	for i := range failures {
		wg.Go(func() {
			for range 20 {
				step, err := b.store.PlanOpening(t.Context(), w)
				failures[i] = errors.Join(failures[i], err, b.store.FinishStep(t.Context(), step))
			}
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(failures...))
	require.Empty(t, b.texts(t, "select claim_no from claim_numbers"))
	require.Empty(t, b.texts(t, "select claim_no from steps"))
	b.open(t, w)
}

func (b *fixture) convert(t *testing.T, c claim.Claim, returnNo string) (claim.Claim, error) {
	t.Helper()
	_, err := b.store.Change(t.Context(), c.SellerID, c.No, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.RegisterConversion(returnNo, "kim", now)
	})
	if err != nil {
		return claim.Claim{}, err
	}
	return b.store.Convert(t.Context(), c.SellerID, c.No, returnNo,
		func(c *claim.Claim, policy claim.Policy, undone claim.Undone, now time.Time) claim.Conversion {
			return c.Convert(policy, claim.Surroundings{Periods: around.Periods, Undone: undone}, now)
		})
}

// A conversion saves both claims, and each refers to the other.
func TestConvert_savesBothClaims(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.openOne(t, seller, claim.Exchange)
	c = b.act(t, c, claim.Approve, claim.Values{})
	c = b.act(t, c, claim.Pickup, hanjin)
	returned, err := b.convert(t, c, "R-1")
	require.NoError(t, err)
	old := b.get(t, c)
	require.Equal(t, claim.ConvertedToReturn, old.Status)
	require.Equal(t, "R-1", old.ReplacedBy)
	require.Equal(t, c.No, returned.Replaces)
	require.Equal(t, claim.Collecting, returned.Status)
	got := b.get(t, returned)
	require.ElementsMatch(t, returned.Performed, got.Performed)
	got.Performed = returned.Performed
	require.Equal(t, returned, got)
	require.True(t, returned.UpdatedAt.After(old.UpdatedAt))

	returned = b.act(t, returned, claim.CollectDone, claim.Values{})
	again, err := b.convert(t, c, "R-1")
	require.NoError(t, err)
	require.Equal(t, returned.Status, again.Status)
	_, err = b.convert(t, c, "R-2")
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
}

// A conversion that was withdrawn and registered with another number is a different one: the first number stays free.
func TestConvert_ofAnotherRegistration(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.change(t, b.openOne(t, seller, claim.Exchange), func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.RegisterConversion("R-2", "kim", now)
	})
	_, err := b.store.Convert(t.Context(), seller, c.No, "R-1", nil)
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
	_, err = b.store.Seller(t.Context(), "R-1")
	require.ErrorIs(t, err, apierr.ClaimNotFound)
}

// A conversion to a number that is taken fails, and leaves the exchange unchanged.
func TestConvert_takenNumber(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c, other := b.openOne(t, seller, claim.Exchange), b.openOne(t, seller, claim.Cancel)
	_, err := b.convert(t, c, other.No)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused)
	require.Equal(t, claim.Requested, b.get(t, c).Status)
}

// A call that finishes its request just after another one finds the claim, even if the node of the claim commits after that of
// the number does: without it the step would count as given up, and the lines of an open claim would be released.
func TestOpen_beforeClaimIsCommitted(t *testing.T) {
	t.Parallel()
	b, w := setup(t), wanted(uuid.New(), claim.Return)
	c := b.open(t, w)
	step, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	// Another transaction has opened the claim and finished the step, and holds the number no longer.
	_, err = b.Pool.Exec(t.Context(), "update claims set claim_no = 'not committed' where seller_id = $1", w.SellerID)
	require.NoError(t, err)
	other, err := b.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = other.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = other.Exec(t.Context(), "update claims set claim_no = $2 where seller_id = $1", w.SellerID, w.No)
	require.NoError(t, err)
	_, err = other.Exec(t.Context(), "delete from steps where step_id = $1", step.ID)
	require.NoError(t, err)
	var pid int
	require.NoError(t, other.QueryRow(t.Context(), "select pg_backend_pid()").Scan(&pid))

	type result struct {
		claim claim.Claim
		err   error
	}
	done := make(chan result, 1)
	go func() {
		found, err := b.store.Open(context.WithoutCancel(t.Context()), step, claim.Won, nil)
		done <- result{found, err}
	}()
	b.awaitWaiting(t, pid, func() bool { return len(done) > 0 })
	require.NoError(t, other.Commit(t.Context()))
	require.Equal(t, result{claim: c}, <-done)
}

// awaitWaiting waits until a statement waits for a session, or isOver.
func (b fixture) awaitWaiting(t *testing.T, pid int, isOver func() bool) {
	t.Helper()
	require.Eventually(t, func() bool {
		var waits bool
		require.NoError(t, b.Pool.QueryRow(t.Context(),
			"select exists (select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)))", pid).
			Scan(&waits))
		return waits || isOver()
	}, time.Minute, 10*time.Millisecond)
}

// The marketplace knows a number from an earlier answer. Where the node of the number has not committed it yet, a call waits,
// and does not say that there is no such claim.
func TestSeller_waitsForNumber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Return)
	_, err := b.Pool.Exec(t.Context(), "delete from claim_numbers")
	require.NoError(t, err)
	other, err := b.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = other.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = other.Exec(t.Context(), "insert into claim_numbers (claim_no, seller_id) values ($1, $2)", c.No, c.SellerID)
	require.NoError(t, err)
	var pid int
	require.NoError(t, other.QueryRow(t.Context(), "select pg_backend_pid()").Scan(&pid))

	var found uuid.UUID
	done := make(chan error, 1)
	go func() {
		var err error
		found, err = b.store.Seller(context.WithoutCancel(t.Context()), c.No)
		done <- err
	}()
	b.awaitWaiting(t, pid, func() bool { return len(done) > 0 })
	require.NoError(t, other.Commit(t.Context()))
	require.NoError(t, <-done)
	require.Equal(t, c.SellerID, found)
	_, err = b.store.Seller(t.Context(), "NOWHERE")
	require.ErrorIs(t, err, apierr.ClaimNotFound)
	require.Equal(t, []string{c.No}, b.texts(t, "select claim_no from claim_numbers"), "waiting leaves nothing behind")
}
