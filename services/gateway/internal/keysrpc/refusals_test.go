package keysrpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/keysrpc"
)

func (b *fixture) refused(t *testing.T) (entries []audit.Entry) {
	t.Helper()
	var chain audit.Chain
	for entry, err := range b.store.Trail(t.Context(), 0) {
		require.NoError(t, err)
		require.NoError(t, chain.Add(entry))
		if strings.HasSuffix(string(entry.Action), "_refused") {
			entries = append(entries, entry)
		}
	}
	return entries
}

func (b *fixture) post(t *testing.T, procedure, caller, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+procedure, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+rpctest.Token(t, caller, "gateway"))
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, errors.Join(err, response.Body.Close()))
	return response.StatusCode
}

func calls(t *testing.T, entry audit.Entry) int {
	t.Helper()
	var detail struct {
		Cause audit.Cause `json:"cause"`
		Calls int         `json:"calls"`
	}
	require.NoError(t, json.Unmarshal([]byte(entry.Detail), &detail))
	require.Equal(t, audit.NotPermitted, detail.Cause)
	return detail.Calls
}

// A call that its token does not permit is in the trail when the caller has its response: caller, procedure, and the seller that it
// named.
func TestRefusals_everyProcedure(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := uuid.NewString()
	for _, c := range []struct {
		procedure string
		action    audit.Action
		key       bool
	}{
		{gatewayv1connect.KeysRegisterSellerProcedure, "register_refused", false},
		{gatewayv1connect.KeysIssueKeyProcedure, "issue_refused", false},
		{gatewayv1connect.KeysListKeysProcedure, "list_refused", false},
		{gatewayv1connect.KeysRevealKeyProcedure, "reveal_refused", true},
		{gatewayv1connect.KeysRevokeKeyProcedure, "revoke_refused", true},
	} {
		body := `{"sellerId":"` + b.seller + `","actor":"lee"`
		if c.key {
			body += `,"keyId":"` + key + `"`
		}
		require.Equal(t, http.StatusForbidden, b.post(t, c.procedure, "qna", body+"}"), c.procedure)
		refused := b.refused(t)
		entry := refused[len(refused)-1]
		require.Equal(t, c.action, entry.Action)
		require.Equal(t, audit.Author{Caller: "qna", Actor: "lee"}, entry.Author)
		require.Equal(t, b.seller, entry.SellerID.String())
		require.Equal(t, c.key, entry.KeyID != nil && entry.KeyID.String() == key)
		require.Equal(t, 1, calls(t, entry))
	}
	require.Len(t, b.refused(t), 5)
}

// A procedure without an action would not be recorded in the trail.
func TestRefusals_everyProcedureHasAnAction(t *testing.T) {
	t.Parallel()
	for _, procedure := range rpc.Procedures() {
		require.Equal(t, strings.HasPrefix(procedure, "/"+gatewayv1connect.KeysName+"/"), keysrpc.Wanted(procedure) != "", procedure)
	}
}

// A refused caller's message is untrusted: values that cannot be read or stored are left out, and the attempt is recorded.
func TestRefusals_nothingNamed(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"empty": `{}`, "not JSON": `{"sellerId":`, "too long": `{"actor":"` + strings.Repeat("x", 201) + `","sellerId":"all"}`,
		"control character": `{"actor":"a\u0000b"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.post(t, gatewayv1connect.KeysListKeysProcedure, "qna", body)
			require.Eventually(t, func() bool { return len(b.refused(t)) == 1 }, time.Minute, 10*time.Millisecond)
			entry := b.refused(t)[0]
			require.Equal(t, audit.Author{Caller: "qna"}, entry.Author)
			require.Nil(t, entry.SellerID)
			require.Nil(t, entry.KeyID)
		})
	}
}

// A caller that is refused a thousand times adds one entry per minute, and all of its calls are counted.
func TestRefusals_thousandCalls(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var passed atomic.Int64
	began := time.Now()
	b.refusals.SetClock(func() time.Time { return began.Add(time.Duration(passed.Load())) })
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for range 250 {
				b.refusals.Record(context.WithoutCancel(t.Context()), b.attempt("kim"))
			}
		})
	}
	callers.Wait()
	require.Len(t, b.refused(t), 1)
	b.refusals.Settle(t.Context())
	require.Len(t, b.refused(t), 1, "the window has not ended")

	passed.Store(int64(keysrpc.RefusalWindow))
	b.refusals.Settle(t.Context())
	b.refusals.Settle(t.Context())
	entries := b.refused(t)
	require.Len(t, entries, 2)
	require.Equal(t, 1000, calls(t, entries[0])+calls(t, entries[1]))
	require.Equal(t, "kim", entries[1].Author.Actor)

	passed.Store(int64(2 * keysrpc.RefusalWindow))
	b.refusals.Settle(t.Context())
	require.Len(t, b.refused(t), 2)
	require.Zero(t, b.refusals.Windows(), "no window of inactive callers remains")
}

func (b *fixture) attempt(actor string) rpc.Refusal {
	return rpc.Refusal{
		Caller: "qna", Procedure: gatewayv1connect.KeysListKeysProcedure, Message: &gatewayv1.ListKeysRequest{SellerId: b.seller, Actor: actor},
	}
}

// Entries that are not written yet are written when the service ends, and a caller that disconnects is recorded nevertheless.
func TestRefusals_writtenAtTheEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, hangUp := context.WithCancel(t.Context())
	hangUp()
	for _, actor := range []string{"kim", "lee", "park"} {
		b.refusals.Record(ctx, b.attempt(actor))
	}
	require.Len(t, b.refused(t), 1)
	b.refusals.Close()
	b.refusals.Close()
	entries := b.refused(t)
	require.Len(t, entries, 2)
	require.Equal(t, 2, calls(t, entries[1]))
	require.Equal(t, "park", entries[1].Author.Actor, "the last actor is recorded")
}

// While the database is unavailable calls are counted, and they are written when it is back.
func TestRefusals_databaseAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	away := true
	refusals := keysrpc.NewRefusals(func(ctx context.Context, refusal audit.Refusal) error {
		if away {
			return errors.New("away")
		}
		return b.store.RecordRefusal(ctx, refusal)
	}, slog.New(slog.DiscardHandler))
	refusals.Record(t.Context(), b.attempt("kim"))
	refusals.Record(t.Context(), b.attempt("lee"))
	require.Empty(t, b.refused(t))
	away = false
	refusals.Close()
	entries := b.refused(t)
	require.Len(t, entries, 1)
	require.Equal(t, 2, calls(t, entries[0]))
	require.Equal(t, "lee", entries[0].Author.Actor)
}
