package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// moved are the lists that deliveries named.
type moved struct {
	Type string
	Data struct{ Orders, Claims, QnA bool }
}

// addWebhook starts a receiver for a seller, and returns what it gets.
func addWebhook(t *testing.T, s *stacktest.Stack, seller string) <-chan moved {
	t.Helper()
	got := make(chan moved, 1000)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body moved
		if json.NewDecoder(r.Body).Decode(&body) == nil && r.Header.Get("webhook-signature") != "" {
			got <- body
		}
	}))
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
	return got
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
