package webhook_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/webhook"
)

// A delivery names the lists that have moved since the one before, is signed, and is recorded; nothing moves, nothing is sent.
func TestDeliver_movedLists(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := receive(t, status(http.StatusNoContent))
	b.move(b.seller, operation.Orders)
	hook, text := b.add(b.seller, r.url)
	b.pass()
	require.Empty(t, r.all(), "what changed before the address was added is not told")

	b.move(b.seller, operation.Orders, operation.QnA)
	b.pass()
	b.pass()
	got := r.all()
	require.Len(t, got, 1)
	require.Regexp(t, `^\{"type":"lists.moved","timestamp":"[^"]+Z","data":\{"orders":true,"claims":false,"qna":true\}\}$`, got[0].body)
	require.True(t, got[0].verified(t, text))
	require.Equal(t, "application/json", got[0].header.Get("Content-Type"))
	found := b.deliveries(hook)
	require.Len(t, found, 1)
	require.Equal(t, http.StatusNoContent, found[0].Status)
	require.Equal(t, got[0].header.Get("webhook-id"), found[0].ID.String())
	require.WithinDuration(t, time.Now(), found[0].At, time.Minute)

	b.move(b.seller, operation.Claims)
	b.pass()
	require.Contains(t, r.all()[1].body, `{"orders":false,"claims":true,"qna":false}`)
}

// Changes within two seconds are one delivery, and the next one does not follow sooner.
func TestDeliver_changesAreGathered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := receive(t, nil)
	b.add(b.seller, r.url)
	b.move(b.seller, operation.Orders)
	b.look(b.one, 0)
	b.move(b.seller, operation.Claims)
	b.look(b.one, time.Second)
	b.move(b.seller, operation.QnA)
	b.look(b.one, time.Second)
	b.one.Wait()
	require.Len(t, r.all(), 1)
	require.Contains(t, r.all()[0].body, `{"orders":true,"claims":true,"qna":true}`)
	require.InDelta(t, webhook.Gather.Seconds(), b.wait(), 1.9)
}

// Two gateways look at the same addresses: at most one delivery to each is under way.
func TestDeliver_oneAtATime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	arrived, answer := make(chan struct{}, 100), make(chan struct{})
	var under, most atomic.Int32
	r := receive(t, func(http.ResponseWriter, *http.Request) {
		most.Store(max(most.Load(), under.Add(1)))
		arrived <- struct{}{}
		<-answer
		under.Add(-1)
	})
	hook, _ := b.add(b.seller, r.url)
	other := b.instance()
	b.move(b.seller, operation.Orders)
	b.look(other, 0)
	b.look(b.one, 0)
	b.look(b.one, webhook.Gather)
	<-arrived
	b.look(other, 0)
	b.look(other, webhook.Gather)
	other.Wait()
	_, err := b.hooks.Test(t.Context(), webhook.Request{SellerID: b.seller, ID: hook.ID, Author: kim})
	require.ErrorIs(t, err, webhook.ErrUnderWay)
	close(answer)
	b.one.Wait()
	require.Len(t, b.deliveries(hook), 1)

	for range 20 {
		b.move(b.seller, operation.Orders)
		b.exec("update webhooks set due_at = now()")
		for _, later := range []time.Duration{0, webhook.Gather} {
			b.look(b.one, later)
			b.look(other, 0)
		}
		b.one.Wait()
		other.Wait()
	}
	require.Len(t, b.deliveries(hook), 21)
	require.EqualValues(t, 1, most.Load())
}

// The gateway dies after a delivery and before it is recorded: the claim ends, and another gateway delivers again.
func TestDeliver_claimOfTheDead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := receive(t, nil)
	hook, _ := b.add(b.seller, r.url)
	b.move(b.seller, operation.Orders)
	dead, ok, err := b.store.ClaimWebhook(t.Context(), webhook.Due{SellerID: b.seller, ID: hook.ID}, time.Minute)
	require.NoError(t, err)
	require.True(t, ok)
	b.pass()
	require.Empty(t, r.all())
	b.exec("update webhooks set claimed_until = now()")
	b.pass()
	require.Len(t, r.all(), 1)

	b.move(b.seller, operation.Claims)
	require.NoError(t, b.store.SettleWebhook(t.Context(), dead, webhook.Delivery{ID: uuid.New()}, webhook.Clocks{Claims: 9}, 0))
	b.pass()
	require.Len(t, r.all(), 2, "a claim that has ended records nothing")
}

// Receivers that never answer occupy neither the workers of others nor their time.
func TestDeliver_neverAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.sender.SetTimeout(2 * time.Second)
	hanging := receive(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	var bad webhook.Webhook
	for range webhook.FailingWorkers + 5 {
		seller := b.register()
		bad, _ = b.add(seller, hanging.url)
		b.move(seller, operation.Orders)
	}
	b.exec("update webhooks set failures = 1, failing_since = now()")
	reached := make(chan struct{})
	good := receive(t, func(http.ResponseWriter, *http.Request) { close(reached) })
	b.add(b.seller, good.url)
	b.move(b.seller, operation.Orders)
	b.look(b.one, 0)
	b.look(b.one, webhook.Gather)
	<-reached
	b.one.Wait()
	b.pass()
	b.pass()
	found := b.deliveries(bad)
	require.NotEmpty(t, found)
	require.Equal(t, "no answer within 10 seconds", found[0].Failure)
	require.Zero(t, found[0].Status)
}

// Receivers that are slow now and then occupy the workers of failing ones only, although their last deliveries succeeded.
func TestDeliver_alternatelySlow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.one.SetSlowAfter(time.Nanosecond)
	var slow atomic.Bool
	reached, goOn := make(chan struct{}, webhook.FailingWorkers+5), make(chan struct{})
	release := sync.OnceFunc(func() { close(goOn) })
	defer release()
	alternating := receive(t, func(http.ResponseWriter, *http.Request) {
		if slow.Load() {
			reached <- struct{}{}
			<-goOn
		}
	})
	sellers := make([]uuid.UUID, webhook.FailingWorkers+5)
	for n := range sellers {
		sellers[n] = b.register()
		b.add(sellers[n], alternating.url)
		b.move(sellers[n], operation.Orders)
	}
	b.pass()
	b.pass() // those for which no worker was left
	require.Len(t, alternating.all(), len(sellers))

	slow.Store(true)
	for _, seller := range sellers {
		b.move(seller, operation.Orders)
	}
	b.exec("update webhooks set due_at = now()")
	b.look(b.one, 0)
	b.look(b.one, webhook.Gather)
	for range webhook.FailingWorkers {
		<-reached
	}
	good := receive(t, nil)
	b.add(b.seller, good.url)
	b.move(b.seller, operation.Orders)
	b.look(b.one, 0)
	b.look(b.one, webhook.Gather)
	require.Eventually(t, func() bool { return len(good.all()) > 0 }, 10*time.Second, 10*time.Millisecond)
	require.Empty(t, reached, "no further worker")
	release()
	b.one.Wait()

	slow.Store(false)
	b.look(b.one, 2*time.Hour) // they are as good as others again
	require.Empty(t, b.one.Slow())
}

// An answer of 100 MB is not read.
func TestDeliver_hugeAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	written := make(chan int, 1)
	r := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		total, block := 0, make([]byte, 1<<20)
		for range 100 {
			n, err := w.Write(block)
			total += n
			if err != nil {
				break
			}
		}
		written <- total
	})
	hook, _ := b.add(b.seller, r.url)
	b.move(b.seller, operation.Orders)
	b.pass()
	require.Less(t, <-written, 20<<20)
	require.Equal(t, http.StatusOK, b.deliveries(hook)[0].Status)
}

// The headers of an answer may be as large as those that proxies in front of receivers add; beyond that the delivery fails.
func TestDeliver_largeHeaders(t *testing.T) {
	t.Parallel()
	for size, status := range map[int]int{48 << 10: http.StatusNoContent, 1 << 20: 0} {
		b := setup(t)
		r := receive(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", strings.Repeat("x", size))
			w.WriteHeader(http.StatusNoContent)
		})
		hook, _ := b.add(b.seller, r.url)
		b.move(b.seller, operation.Orders)
		b.pass()
		require.Equal(t, status, b.deliveries(hook)[0].Status, size)
	}
}

// A redirect is an answer that is not success: it could lead into the cluster.
func TestDeliver_redirect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inside := receive(t, nil)
	r := receive(t, func(w http.ResponseWriter, request *http.Request) {
		http.Redirect(w, request, inside.url, http.StatusTemporaryRedirect)
	})
	hook, _ := b.add(b.seller, r.url)
	b.move(b.seller, operation.Orders)
	b.pass()
	require.Empty(t, inside.all())
	require.Equal(t, http.StatusTemporaryRedirect, b.deliveries(hook)[0].Status)
	require.NotNil(t, b.state(hook).FailingSince)
}

// A name that leads to an address inside when the connection is made, whatever it led to before, gets nothing.
func TestDeliver_nameLeadsInside(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := receive(t, nil)
	hook, _ := b.add(b.seller, "http://localhost:"+r.url[len("http://127.0.0.1:"):])
	b.move(b.seller, operation.Orders)
	b.one = webhook.NewDeliverer(b.store, b.vault, b.services(), webhook.NewSender(webhook.Addresses{}), b.tel)
	b.pass()
	require.Empty(t, r.all())
	require.Equal(t, "the address is not a public one", b.deliveries(hook)[0].Failure)
}

// A receiver that fails is tried again, later each time. After a day it is paused; resumed, it is told what moved meanwhile.
func TestDeliver_failsForADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var code atomic.Int32
	code.Store(http.StatusInternalServerError)
	r := receive(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(code.Load())) })
	hook, _ := b.add(b.seller, r.url)
	b.move(b.seller, operation.Orders)
	for n, longest := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second} {
		b.pass()
		require.Len(t, r.all(), n+1)
		wait := b.wait()
		require.LessOrEqual(t, wait, longest.Seconds())
		require.Greater(t, wait, longest.Seconds()/2-2)
		b.look(b.one, webhook.Gather)
		b.look(b.one, webhook.Gather)
		b.one.Wait()
		require.Len(t, r.all(), n+1, "not before its time")
	}
	require.Equal(t, webhook.Active, b.state(hook).State)
	b.exec("update webhooks set failures = 40")
	b.pass()
	b.exec("update webhooks set failing_since = failing_since - interval '1 day'")
	b.pass()
	failed := b.state(hook)
	require.Equal(t, webhook.Failed, failed.State)
	require.NotNil(t, failed.PausedAt)
	b.pass()
	require.Len(t, r.all(), 5)

	code.Store(http.StatusOK)
	b.move(b.seller, operation.QnA)
	resumed, err := b.hooks.Resume(t.Context(), webhook.Request{SellerID: b.seller, ID: hook.ID, Author: kim})
	require.NoError(t, err)
	require.Equal(t, webhook.Active, resumed.State)
	b.pass()
	require.Contains(t, r.all()[5].body, `{"orders":true,"claims":false,"qna":true}`)
	require.Nil(t, b.state(hook).FailingSince)
}

// A service that does not return clocks keeps no address from being told of the others.
func TestDeliver_serviceAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := receive(t, nil)
	b.move(b.seller, operation.Claims)
	b.add(b.seller, r.url)
	b.away = operation.Claims
	b.move(b.seller, operation.Orders, operation.Claims)
	for _, later := range []time.Duration{0, webhook.Gather} {
		b.now = b.now.Add(later)
		require.ErrorContains(t, b.one.Look(t.Context(), b.now), "ask claims for clocks")
	}
	b.one.Wait()
	b.away = ""
	b.pass()
	require.Len(t, r.all(), 2)
	require.Contains(t, r.all()[0].body, `{"orders":true,"claims":false,"qna":false}`)
	require.Contains(t, r.all()[1].body, `{"orders":false,"claims":true,"qna":false}`)
}

// A service that never responds costs the time of its question, and the others are heard all the same.
func TestAsk_serviceHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		seller := uuid.New()
		services := webhook.Services{
			operation.Orders: func(context.Context, [][]byte) ([]int64, error) { return []int64{7}, nil },
			operation.Claims: func(ctx context.Context, _ [][]byte) ([]int64, error) { <-ctx.Done(); return nil, ctx.Err() },
			operation.QnA:    func(ctx context.Context, _ [][]byte) ([]int64, error) { return []int64{9}, ctx.Err() },
		}
		for range 20 { // in any order
			began := time.Now()
			clocks, err := services.Ask(t.Context(), []uuid.UUID{seller})
			require.ErrorContains(t, err, "ask claims for clocks")
			require.Equal(t, map[uuid.UUID]webhook.Clocks{seller: {Orders: 7, QnA: 9}}, clocks)
			require.Equal(t, webhook.AskTimeout, time.Since(began))
		}
	})
}

// A service that hangs costs one look a second, and the later ones nothing: they hear the others at once, and what the service
// says in the end. Then it is waited for again.
func TestListen_serviceHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		seller, asked, hangs := uuid.New(), 0, time.Hour
		ask := webhook.Services{
			operation.Orders: func(context.Context, [][]byte) ([]int64, error) { return []int64{7}, nil },
			operation.Claims: func(ctx context.Context, _ [][]byte) ([]int64, error) {
				asked++
				select {
				case <-ctx.Done():
					return nil, ctx.Err()
				case <-time.After(hangs):
					return []int64{8}, nil
				}
			},
		}.Listen()
		look := func(took time.Duration, want webhook.Clocks, problem string) {
			t.Helper()
			began := time.Now()
			clocks, err := ask(t.Context(), []uuid.UUID{seller})
			require.Equal(t, map[uuid.UUID]webhook.Clocks{seller: want}, clocks)
			require.Equal(t, took, time.Since(began))
			if problem == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "ask claims for clocks: "+problem)
			}
		}
		others, all := webhook.Clocks{Orders: 7}, webhook.Clocks{Orders: 7, Claims: 8}
		look(webhook.AskPatience, others, "no answer yet")
		look(0, others, "no answer yet")
		synctest.Wait()
		require.Equal(t, 1, asked, "the question is still open")
		<-time.After(webhook.AskTimeout - webhook.AskPatience)
		synctest.Wait()
		look(0, others, "context deadline exceeded")
		hangs = 2 * webhook.AskPatience
		look(0, others, "no answer yet")
		<-time.After(hangs)
		synctest.Wait()
		look(0, all, "")
		hangs = webhook.AskPatience / 2
		look(hangs, all, "")
	})
}

// For a day after a rotation both secrets verify a delivery. The call sent again does not rotate again.
func TestRotate_twoSecrets(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := receive(t, nil)
	hook, before := b.add(b.seller, r.url)
	request := webhook.Request{SellerID: b.seller, ID: hook.ID, Author: kim, RequestID: uuid.New()}
	rotated, after, err := b.hooks.Rotate(t.Context(), request)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(24*time.Hour), *rotated.PreviousUntil, time.Minute)
	_, again, err := b.hooks.Rotate(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, after.Reveal(), again.Reveal())
	b.move(b.seller, operation.Orders)
	b.pass()
	require.True(t, r.all()[0].verified(t, before))
	require.True(t, r.all()[0].verified(t, after))
	b.exec("update webhooks set previous_until = now()")
	b.move(b.seller, operation.Orders)
	b.pass()
	require.False(t, r.all()[1].verified(t, before))
	require.True(t, r.all()[1].verified(t, after))
}

// A pause stops deliveries, but not tests, which tell nothing.
func TestPause_andTest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := receive(t, nil)
	hook, _ := b.add(b.seller, r.url)
	request := webhook.Request{SellerID: b.seller, ID: hook.ID, Author: kim}
	_, err := b.hooks.Pause(t.Context(), request)
	require.NoError(t, err)
	b.move(b.seller, operation.Orders)
	b.pass()
	require.Empty(t, r.all())
	tested, err := b.hooks.Test(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, tested.Status)
	require.Contains(t, r.all()[0].body, `{"type":"webhook.test",`)
	ctx, cancel := context.WithCancel(t.Context())
	slow := receive(t, func(http.ResponseWriter, *http.Request) { cancel() })
	other, _ := b.add(b.seller, slow.url)
	tested, err = b.hooks.Test(ctx, webhook.Request{SellerID: b.seller, ID: other.ID, Author: kim})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, tested.Status, "of a receiver that is slower than the caller")
	require.NoError(t, b.hooks.Remove(t.Context(), webhook.Request{SellerID: b.seller, ID: other.ID, Author: kim}))
	_, err = b.hooks.Resume(t.Context(), request)
	require.NoError(t, err)
	b.pass()
	require.Contains(t, r.all()[1].body, `"lists.moved"`)
	require.NoError(t, b.hooks.Remove(t.Context(), request))
	b.move(b.seller, operation.Orders)
	b.pass()
	require.Len(t, r.all(), 2)
}
