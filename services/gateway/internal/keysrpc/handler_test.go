package keysrpc_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/consoletest"
	"sellerapi.dev/services/gateway/internal/keysrpc"
)

type fixture struct {
	*consoletest.Gateway

	client, stranger gatewayv1connect.KeysClient
	seller           string
}

func setup(t *testing.T) *fixture {
	t.Helper()
	return setupWith(t, published)
}

// setupWith is setup with a function that publishes revocations.
func setupWith(t *testing.T, publish func(context.Context, apikey.Key) error) *fixture {
	t.Helper()
	g := consoletest.New(t, func(g *consoletest.Gateway, option connect.HandlerOption) (string, http.Handler) {
		keys := apikey.NewKeys(g.Texts, g.Vault, g.Store, apikey.DefaultLimits, publish)
		return gatewayv1connect.NewKeysHandler(keysrpc.New(keys), option)
	})
	b := &fixture{
		Gateway: g, seller: uuid.NewString(),
		client:   gatewayv1connect.NewKeysClient(g.Console.HTTP, g.URL, g.Console.Options),
		stranger: gatewayv1connect.NewKeysClient(http.DefaultClient, g.URL),
	}
	_, err := b.client.RegisterSeller(t.Context(), &gatewayv1.RegisterSellerRequest{
		SellerId: b.seller, Name: "Seller", Actor: "kim",
	})
	require.NoError(t, err)
	return b
}

func (b *fixture) request() *gatewayv1.IssueKeyRequest {
	return &gatewayv1.IssueKeyRequest{
		SellerId: b.seller, Scopes: []string{"qna:write", "orders:read"}, Purpose: "ERP", Actor: "kim", RequestId: uuid.NewString(),
	}
}

func (b *fixture) issue(t *testing.T) *gatewayv1.IssueKeyResponse {
	t.Helper()
	answer, err := b.client.IssueKey(t.Context(), b.request())
	require.NoError(t, err)
	return answer
}

// The text of a key gives access to all data of a seller, so a token that a service signed for its own calls must not reveal it.
func TestRevealKeyNeedsPermission(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.issue(t)
	callers := []string{
		"qna", "orders", rpc.CallerClaims, rpc.CallerOperator, rpc.CallerPayments, rpc.CallerStorefront,
		rpc.CallerLoad, "kim",
	}
	for _, caller := range callers {
		ctx, sent := connect.NewClientContext(t.Context())
		sent.RequestHeader().Set("Authorization", "Bearer "+rpctest.Token(t, caller, "gateway"))
		_, err := b.stranger.RevealKey(ctx, &gatewayv1.RevealKeyRequest{
			SellerId: b.seller,
			KeyId:    key.GetKey().GetKeyId(), Actor: "kim",
		})
		require.Equal(t, connect.CodePermissionDenied, connect.CodeOf(err), caller)
	}
	refused := b.refused(t)
	require.Len(t, refused, len(callers))
	for i, entry := range refused {
		require.Equal(t, audit.Author{Caller: callers[i], Actor: "kim"}, entry.Author)
		require.Equal(t, key.GetKey().GetKeyId(), entry.KeyID.String())
	}
}

// A key goes through all its states over the RPC interface: issued, listed, revealed and revoked.
func TestKey_wholeLife(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := b.request()
	expiry := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	request.ExpiresAt = timestamppb.New(expiry)
	issued, err := b.client.IssueKey(t.Context(), request)
	require.NoError(t, err)
	key, text := issued.GetKey(), issued.GetText()
	require.True(t, strings.HasPrefix(text, "vpk_live_"))
	require.Equal(t, text[:12], key.GetPrefix())
	require.Equal(t, b.seller, key.GetSellerId())
	require.Equal(t, []string{"orders:read", "qna:write"}, key.GetScopes())
	require.Equal(t, "ERP", key.GetPurpose())
	require.Equal(t, gatewayv1.KeyState_KEY_STATE_ACTIVE, key.GetState())
	require.Equal(t, expiry, key.GetExpiresAt().AsTime())
	require.Nil(t, key.GetRevokedAt())

	revealed, err := b.client.RevealKey(t.Context(), &gatewayv1.RevealKeyRequest{
		SellerId: b.seller, KeyId: key.GetKeyId(), Actor: "lee",
	})
	require.NoError(t, err)
	require.Equal(t, text, revealed.GetText())

	second := b.issue(t).GetKey()
	revoke := &gatewayv1.RevokeKeyRequest{SellerId: b.seller, KeyId: key.GetKeyId(), Actor: "kim", Reason: "rotated"}
	revoked, err := b.client.RevokeKey(t.Context(), revoke)
	require.NoError(t, err)
	require.Equal(t, gatewayv1.KeyState_KEY_STATE_REVOKED, revoked.GetKey().GetState())
	again, err := b.client.RevokeKey(t.Context(), revoke)
	require.NoError(t, err)
	require.Equal(t, revoked.GetKey().GetRevokedAt().AsTime(), again.GetKey().GetRevokedAt().AsTime())

	list, err := b.client.ListKeys(t.Context(), &gatewayv1.ListKeysRequest{SellerId: b.seller, Actor: "kim"})
	require.NoError(t, err)
	require.Len(t, list.GetKeys(), 2)
	require.Equal(t, second.GetKeyId(), list.GetKeys()[0].GetKeyId(), "newest first")
	require.Equal(t, gatewayv1.KeyState_KEY_STATE_REVOKED, list.GetKeys()[1].GetState())
	require.NotContains(t, list.String(), text[12:])
}

// A console that reuses an id for other rights would show the seller a key with fewer or more rights than requested.
func TestIssueKey_requestIDOfOtherContent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.request()
	first.ExpiresAt = timestamppb.New(time.Now().Add(time.Hour))
	issued, err := b.client.IssueKey(t.Context(), first)
	require.NoError(t, err)
	for name, change := range map[string]func(*gatewayv1.IssueKeyRequest){
		"scopes":  func(r *gatewayv1.IssueKeyRequest) { r.Scopes = append(r.Scopes, "claims:write") },
		"purpose": func(r *gatewayv1.IssueKeyRequest) { r.Purpose = "shop" },
		"expiry":  func(r *gatewayv1.IssueKeyRequest) { r.ExpiresAt = nil },
	} {
		other := proto.CloneOf(first)
		change(other)
		_, err := b.client.IssueKey(t.Context(), other)
		require.Equal(t, connect.CodeAlreadyExists, connect.CodeOf(err), name)
	}
	first.Scopes, first.Actor = []string{"orders:read", "qna:write"}, "lee" // in another order, by another person
	again, err := b.client.IssueKey(t.Context(), first)
	require.NoError(t, err)
	require.Equal(t, issued.GetText(), again.GetText())
}

// A key that has expired is listed as expired.
func TestListKeys_expired(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.issue(t).GetKey()
	_, err := b.DB.Pool.Exec(t.Context(), "update api_keys set expires_at = clock_timestamp() where key_id = $1", key.GetKeyId())
	require.NoError(t, err)
	list, err := b.client.ListKeys(t.Context(), &gatewayv1.ListKeysRequest{SellerId: b.seller, Actor: "kim"})
	require.NoError(t, err)
	require.Equal(t, gatewayv1.KeyState_KEY_STATE_EXPIRED, list.GetKeys()[0].GetState())
}

// Unknown sellers and keys, and the keys of another seller, are not found.
func TestCalls_unknownSellerOrKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.issue(t).GetKey().GetKeyId()
	request := b.request()
	request.SellerId = uuid.NewString()
	_, err := b.client.IssueKey(t.Context(), request)
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	for _, target := range [][2]string{{b.seller, uuid.NewString()}, {uuid.NewString(), key}} {
		_, err = b.client.RevealKey(t.Context(), &gatewayv1.RevealKeyRequest{SellerId: target[0], KeyId: target[1], Actor: "kim"})
		require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
		_, err = b.client.RevokeKey(t.Context(), &gatewayv1.RevokeKeyRequest{SellerId: target[0], KeyId: target[1], Actor: "kim"})
		require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	}
	list, err := b.client.ListKeys(t.Context(), &gatewayv1.ListKeysRequest{SellerId: uuid.NewString(), Actor: "kim"})
	require.NoError(t, err)
	require.Empty(t, list.GetKeys())
}

// A sixth active key of a seller is refused as too many.
func TestIssueKey_sixthActive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range apikey.DefaultLimits.Active {
		b.issue(t)
	}
	_, err := b.client.IssueKey(t.Context(), b.request())
	require.Equal(t, connect.CodeResourceExhausted, connect.CodeOf(err))
	require.ErrorContains(t, err,
		"at most 5 active keys, a key that was revoked or has expired counts as active for another 120 seconds, "+
			"and at most 10 keys are issued in 24 hours")
}

func TestRequests_allProblemsReported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.client.RegisterSeller(t.Context(), &gatewayv1.RegisterSellerRequest{})
	requireFields(t, err, "seller_id", "name", "actor")
	_, err = b.client.IssueKey(t.Context(), &gatewayv1.IssueKeyRequest{Scopes: []string{"all"}, Purpose: "\x07"})
	requireFields(t, err, "seller_id", "scopes[0]", "purpose", "actor", "request_id")
	_, err = b.client.ListKeys(t.Context(), &gatewayv1.ListKeysRequest{SellerId: "x"})
	requireFields(t, err, "seller_id", "actor")
	_, err = b.client.RevealKey(t.Context(), &gatewayv1.RevealKeyRequest{})
	requireFields(t, err, "seller_id", "key_id", "actor")
	_, err = b.client.RevokeKey(t.Context(), &gatewayv1.RevokeKeyRequest{Reason: strings.Repeat("x", 201)})
	requireFields(t, err, "seller_id", "key_id", "actor", "reason")
	past := b.request()
	past.ExpiresAt = timestamppb.New(time.Now().Add(-time.Minute))
	_, err = b.client.IssueKey(t.Context(), past)
	requireFields(t, err, "expires_at")
}

func requireFields(t *testing.T, err error, fields ...string) {
	t.Helper()
	require.ErrorIs(t, err, apierr.ValidationError)
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
	listed, _ := apierr.From(err).Data["errors"].([]any)
	named := make([]string, len(listed))
	for i, problem := range listed {
		named[i], _ = problem.(map[string]any)["field"].(string)
	}
	require.Equal(t, fields, named)
}

// A caller that only read that the service is unavailable would think that the key is active, although it is revoked for good.
func TestRevokeKey_unconfirmed(t *testing.T) {
	t.Parallel()
	for name, publish := range map[string]func(context.Context, apikey.Key) error{
		"Redis is unavailable": func(context.Context, apikey.Key) error {
			return apierr.Unavailable.Because(apierr.RateLimitUnavailable)
		},
		"publication too slow": func(ctx context.Context, _ apikey.Key) error {
			<-ctx.Done()
			return apierr.Unavailable.Because(ctx.Err())
		},
		"database error": func(context.Context, apikey.Key) error { return errors.New("away") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setupWith(t, publish)
			key := b.issue(t).GetKey().GetKeyId()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			_, err := b.client.RevokeKey(ctx, &gatewayv1.RevokeKeyRequest{SellerId: b.seller, KeyId: key, Actor: "kim"})
			require.ErrorIs(t, err, apierr.Unavailable)
			require.Equal(t, connect.CodeUnavailable, connect.CodeOf(err))
			require.ErrorContains(t, err, apikey.ErrUnconfirmed.Error())
			list, err := b.client.ListKeys(t.Context(), &gatewayv1.ListKeysRequest{SellerId: b.seller, Actor: "kim"})
			require.NoError(t, err)
			require.Equal(t, gatewayv1.KeyState_KEY_STATE_REVOKED, list.GetKeys()[0].GetState())
		})
	}
}

func TestCalls_withoutCredential(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.stranger.ListKeys(t.Context(), &gatewayv1.ListKeysRequest{SellerId: b.seller, Actor: "kim"})
	require.Equal(t, connect.CodeUnauthenticated, connect.CodeOf(err))
}

// published is for tests without a gateway that would have to be told of a revocation.
func published(context.Context, apikey.Key) error { return nil }
