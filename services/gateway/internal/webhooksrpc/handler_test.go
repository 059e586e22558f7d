package webhooksrpc_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/consoletest"
	"sellerapi.dev/services/gateway/internal/webhook"
	"sellerapi.dev/services/gateway/internal/webhooksrpc"
)

type fixture struct {
	*consoletest.Gateway

	seller string
	client gatewayv1connect.WebhooksClient
}

func setup(t *testing.T) *fixture {
	t.Helper()
	g := consoletest.New(t, func(g *consoletest.Gateway, option connect.HandlerOption) (string, http.Handler) {
		local := webhook.Addresses{Loopback: true}
		hooks := webhook.NewHooks(g.Store, g.Vault, webhook.Services{}, webhook.NewSender(local))
		return gatewayv1connect.NewWebhooksHandler(webhooksrpc.New(hooks, local), option)
	})
	b := &fixture{
		Gateway: g, seller: uuid.NewString(), client: gatewayv1connect.NewWebhooksClient(g.Console.HTTP, g.URL, g.Console.Options),
	}
	require.NoError(t, b.Store.RegisterSeller(t.Context(), apikey.RegisterRequest{
		SellerID: uuid.MustParse(b.seller), Name: "S", Author: audit.Author{Caller: "console", Actor: "kim"},
	}))
	return b
}

func (b *fixture) add(t *testing.T, url string) *gatewayv1.AddWebhookResponse {
	t.Helper()
	answer, err := b.client.AddWebhook(t.Context(), b.request(url))
	require.NoError(t, err)
	return answer
}

func (b *fixture) request(url string) *gatewayv1.AddWebhookRequest {
	return &gatewayv1.AddWebhookRequest{SellerId: b.seller, Url: url, Actor: "kim", RequestId: uuid.NewString()}
}

func (b *fixture) trail(t *testing.T) (actions []string) {
	t.Helper()
	for _, entry := range b.Trail(t) {
		actions = append(actions, entry.Author.Caller+" "+entry.Author.Actor+" "+string(entry.Action))
	}
	return actions
}

// A webhook goes through all its states over the RPC interface, and each call is in the audit trail.
func TestWebhook_wholeLife(t *testing.T) {
	t.Parallel()
	b := setup(t)
	receiver := httptest.NewServer(http.NotFoundHandler())
	defer receiver.Close()
	request := b.request(receiver.URL)
	added, err := b.client.AddWebhook(t.Context(), request)
	require.NoError(t, err)
	again, err := b.client.AddWebhook(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, added.GetSecret(), again.GetSecret())
	id := added.GetWebhook().GetWebhookId()
	rotated, err := b.client.RotateWebhookSecret(t.Context(), &gatewayv1.RotateWebhookSecretRequest{
		SellerId: b.seller, WebhookId: id, Actor: "kim", RequestId: uuid.NewString(),
	})
	require.NoError(t, err)
	require.NotEqual(t, added.GetSecret(), rotated.GetSecret())
	require.NotNil(t, rotated.GetWebhook().GetPreviousSecretUntil())
	pause := &gatewayv1.PauseWebhookRequest{SellerId: b.seller, WebhookId: id, Actor: "kim"}
	paused, err := b.client.PauseWebhook(t.Context(), pause)
	require.NoError(t, err)
	require.Equal(t, gatewayv1.WebhookState_WEBHOOK_STATE_PAUSED, paused.GetWebhook().GetState())
	tested, err := b.client.TestWebhook(t.Context(), &gatewayv1.TestWebhookRequest{SellerId: b.seller, WebhookId: id, Actor: "kim"})
	require.NoError(t, err)
	require.EqualValues(t, http.StatusNotFound, tested.GetDelivery().GetStatus())
	resume := &gatewayv1.ResumeWebhookRequest{SellerId: b.seller, WebhookId: id, Actor: "kim"}
	resumed, err := b.client.ResumeWebhook(t.Context(), resume)
	require.NoError(t, err)
	require.Equal(t, gatewayv1.WebhookState_WEBHOOK_STATE_ACTIVE, resumed.GetWebhook().GetState())
	list, err := b.client.ListWebhooks(t.Context(), &gatewayv1.ListWebhooksRequest{SellerId: b.seller, Actor: "kim"})
	require.NoError(t, err)
	require.Len(t, list.GetWebhooks(), 1)
	require.NotContains(t, list.String(), "whsec_")
	told := &gatewayv1.ListWebhookDeliveriesRequest{SellerId: b.seller, WebhookId: id, Actor: "kim"}
	deliveries, err := b.client.ListWebhookDeliveries(t.Context(), told)
	require.NoError(t, err)
	require.Equal(t, tested.GetDelivery().GetDeliveryId(), deliveries.GetDeliveries()[0].GetDeliveryId())
	told.Before = tested.GetDelivery().GetDeliveryId()
	deliveries, err = b.client.ListWebhookDeliveries(t.Context(), told)
	require.NoError(t, err)
	require.Empty(t, deliveries.GetDeliveries())
	_, err = b.client.RemoveWebhook(t.Context(), &gatewayv1.RemoveWebhookRequest{SellerId: b.seller, WebhookId: id, Actor: "kim"})
	require.NoError(t, err)
	_, err = b.client.PauseWebhook(t.Context(), &gatewayv1.PauseWebhookRequest{SellerId: b.seller, WebhookId: id, Actor: "kim"})
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	require.Equal(t, []string{
		"console kim register", "console kim webhook_add", "console kim webhook_add_again", "console kim webhook_rotate",
		"console kim webhook_pause", "console kim webhook_test", "console kim webhook_resume", "console kim webhook_list",
		"console kim webhook_deliveries", "console kim webhook_deliveries", "console kim webhook_remove",
	}, b.trail(t))
}

// What cannot be added is refused with the code of the contract, also when five are added at once.
func TestAddWebhook_refusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.request("https://a.example/")
	_, err := b.client.AddWebhook(t.Context(), first)
	require.NoError(t, err)
	first.Url = "https://b.example/"
	for code, request := range map[connect.Code]*gatewayv1.AddWebhookRequest{
		connect.CodeAlreadyExists:   first,
		connect.CodeInvalidArgument: b.request("ftp://a.example/"),
		connect.CodeNotFound:        {SellerId: uuid.NewString(), Url: "https://a.example/", Actor: "kim", RequestId: uuid.NewString()},
	} {
		_, err := b.client.AddWebhook(t.Context(), request)
		require.Equal(t, code, connect.CodeOf(err), err)
	}
	_, err = b.client.AddWebhook(t.Context(), b.request("https://a.example/"))
	require.Equal(t, connect.CodeAlreadyExists, connect.CodeOf(err))
	results := make(chan error, 8)
	for n := range cap(results) {
		go func() {
			_, err := b.client.AddWebhook(context.WithoutCancel(t.Context()), b.request("https://a.example/"+string(rune('a'+n))))
			results <- err
		}()
	}
	refused := 0
	for range cap(results) {
		if err := <-results; err != nil {
			require.Equal(t, connect.CodeResourceExhausted, connect.CodeOf(err), err)
			refused++
		}
	}
	require.Equal(t, 4, refused)
}

// The secret of a webhook is stored nowhere as it is.
func TestAddWebhook_secretIsSealed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text := b.add(t, "https://a.example/").GetSecret()
	for _, table := range []string{"webhooks", "key_audit"} {
		var found int
		sql := "select count(*) from " + table + " as row where position($1 in row::text) > 0"
		require.NoError(t, b.DB.Pool.QueryRow(t.Context(), sql, text[6:]).Scan(&found))
		require.Zero(t, found, table)
	}
}

// A system that may not add addresses could send a seller's changes anywhere; its try is in the audit trail.
func TestAddWebhook_needsPermission(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := gatewayv1connect.NewWebhooksClient(http.DefaultClient, b.URL)
	for _, caller := range []string{
		rpc.CallerOperator, rpc.CallerClaims, rpc.CallerPayments, rpc.CallerStorefront, rpc.CallerLoad, "kim",
	} {
		ctx, sent := connect.NewClientContext(t.Context())
		sent.RequestHeader().Set("Authorization", "Bearer "+rpctest.Token(t, caller, "gateway"))
		_, err := stranger.AddWebhook(ctx, b.request("https://a.example/"))
		require.Equal(t, connect.CodePermissionDenied, connect.CodeOf(err), caller)
		require.Equal(t, caller+" kim webhook_add_refused", b.trail(t)[len(b.trail(t))-1])
	}
}

// The entry of a refused call names the webhook that the call was about.
func TestPauseWebhook_refusedNamesWebhook(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.add(t, "https://a.example/").GetWebhook().GetWebhookId()
	ctx, sent := connect.NewClientContext(t.Context())
	sent.RequestHeader().Set("Authorization", "Bearer "+rpctest.Token(t, rpc.CallerClaims, "gateway"))
	stranger := gatewayv1connect.NewWebhooksClient(http.DefaultClient, b.URL)
	_, err := stranger.PauseWebhook(ctx, &gatewayv1.PauseWebhookRequest{SellerId: b.seller, WebhookId: id, Actor: "kim"})
	require.Equal(t, connect.CodePermissionDenied, connect.CodeOf(err))
	trail := b.Trail(t)
	last := trail[len(trail)-1]
	require.EqualValues(t, "webhook_pause_refused", last.Action)
	require.JSONEq(t, `{"cause": "permission_denied", "webhook_id": "`+id+`"}`, last.Detail)
}
