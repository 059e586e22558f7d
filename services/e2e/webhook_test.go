package e2e

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

// moved are the lists that deliveries named.
type moved struct {
	Type string
	Data struct{ Orders, Claims, QnA bool }
}

// addWebhook starts a receiver for a seller, and returns what it gets. Every delivery must be as the contract describes it.
func addWebhook(t *testing.T, s *stacktest.Stack, seller string) <-chan moved {
	t.Helper()
	got := make(chan moved, 1000)
	contract, err := stacktest.Contract()
	require.NoError(t, err)
	registerWebhook(t, s, seller, func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err == nil {
			err = contract.CheckDelivery("lists_moved", r, text)
		}
		var body moved
		if err = errors.Join(err, json.Unmarshal(text, &body)); err != nil {
			t.Errorf("a delivery is not as described: %v: %s", err, text)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		got <- body
	})
	return got
}

// registerWebhook registers a receiver of a seller until the end of the test, and returns its secret.
func registerWebhook(t *testing.T, s *stacktest.Stack, seller string, receive http.HandlerFunc) (secret string) {
	t.Helper()
	receiver := httptest.NewServer(receive)
	t.Cleanup(receiver.Close)
	added := stacktest.Must(t, s.Webhooks.AddWebhook, &gatewayv1.AddWebhookRequest{
		SellerId: seller, Url: receiver.URL, Actor: "kim", RequestId: uuid.NewString(),
	})
	t.Cleanup(func() {
		_, err := s.Webhooks.RemoveWebhook(context.WithoutCancel(t.Context()), &gatewayv1.RemoveWebhookRequest{
			SellerId: seller, WebhookId: added.GetWebhook().GetWebhookId(), Actor: "kim",
		})
		require.NoError(t, err)
	})
	return added.GetSecret()
}

// A receiver that reads forwards when it is told, and only then, has an exact copy while others write.
func TestWebhook_exactCopy(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	client, mine, after := s.Client(seller.ID), copyOf{}, "beginning"
	told := addWebhook(t, s, seller.ID)
	read := func() {
		for more := true; more; {
			page := client.List(t, "20", "after", after)
			mine.upsert(page.List)
			after, more = page.After, page.NextCursor != nil
		}
	}
	writing := startWriters(t, s, seller.ID, 4, 20)
	orders := writing.wait(t)
	at := client.Walk(t, "100")
	stacktest.Await(t, "each change is told", func() bool {
		if delivery := <-told; delivery.Data.Orders {
			read()
		}
		return len(mine) == len(at)
	})
	requireComplete(t, mine, orders, client.Walk(t, "100"))
}

// A delivery names the list that moved.
func TestWebhook_eachList(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	told := addWebhook(t, s, seller.ID)
	s.Ask(t, stacktest.NewInquiry(seller.ID))
	var want moved
	want.Type, want.Data.QnA = "lists.moved", true
	require.Equal(t, want, <-told)
	s.PlaceMany(t, 1, seller.ID)
	want.Data.QnA, want.Data.Orders = false, true
	require.Equal(t, want, <-told)
}

// guided is a receiver that was written from the guide alone: it verifies each delivery, and answers before it reads the lists.
type guided struct {
	secret atomic.Value
	// toRead has room for one note, since one round reads everything that has moved until then.
	toRead chan struct{}
	// got counts the verified deliveries, refused the others.
	got, refused atomic.Int64
}

// verified is the check of the guide: id, time and body are signed with the secret, and the time is close.
func (g *guided) verified(r *http.Request, body []byte) bool {
	secret, _ := g.secret.Load().(string)
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	sentAt, problem := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
	if err != nil || problem != nil || math.Abs(time.Since(time.Unix(sentAt, 0)).Minutes()) > 5 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%s.%s", r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.Contains(strings.Fields(r.Header.Get("webhook-signature")), want)
}

// ServeHTTP receives a delivery. The first ones are lost, as if the server were away, and come again; others come twice.
func (g *guided) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var delivery moved
	if err != nil || !g.verified(r, body) || json.Unmarshal(body, &delivery) != nil {
		g.refused.Add(1)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if n := g.got.Add(1); n <= lostDeliveries {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	for range 2 { // it comes twice
		if delivery.Data.Orders {
			g.note()
		}
	}
}

// note asks for a round, unless one is asked for already.
func (g *guided) note() {
	select {
	case g.toRead <- struct{}{}:
	default:
	}
}

// lostDeliveries is how many deliveries the receiver loses, the first of all.
const lostDeliveries = 1

// A receiver that was written from the guide alone, and reads forwards when it is told, has an exact copy in the end: among 32
// writers, while a delivery is lost and others come twice, the gateway that it reads from is stopped and replaced, and it stops
// itself between reading a page and storing it.
func TestWebhook_receiverOfTheGuide(t *testing.T) {
	t.Parallel()
	shared := stacktest.Use(t)
	s, stop := shared.ThroughUntil(t, func(*gateway.Config) {})
	seller := s.Seller(t)
	g := &guided{toRead: make(chan struct{}, 1)}
	g.secret.Store(registerWebhook(t, shared, seller.ID, g.ServeHTTP))
	client, mine, after := s.Client(seller.ID), copyOf{}, "beginning"
	rounds := 0
	read := func() {
		for more := true; more; rounds++ {
			page := client.List(t, "20", "after", after)
			more = page.NextCursor != nil
			if rounds%3 == 0 {
				more = true // it stops here, and starts again from what it has stored
				continue
			}
			mine.upsert(page.List)
			after = page.After
		}
	}
	writing := startWriters(t, shared, seller.ID, 32, 8)
	<-g.toRead
	read()
	stop()
	client = shared.Through(t, func(*gateway.Config) {}).Client(seller.ID)
	orders := writing.wait(t)
	all := shared.Client(seller.ID).Walk(t, "100")
	isBehind := func(o stacktest.Order) bool { return mine[o.OrderNo].UpdatedAt != o.UpdatedAt }
	for slices.ContainsFunc(all, isBehind) {
		<-g.toRead // each change is told, also after a delivery was lost
		read()
	}
	requireComplete(t, mine, orders, all)
	require.Zero(t, g.refused.Load())
	require.Greater(t, g.got.Load(), int64(lostDeliveries))
}
