package keysrpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
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

// refused returns the entries about refused calls, of an intact trail.
func (b *fixture) refused(t *testing.T) (entries []audit.Entry) {
	t.Helper()
	for _, entry := range b.Trail(t) {
		if strings.HasSuffix(string(entry.Action), "_refused") {
			entries = append(entries, entry)
		}
	}
	return entries
}

// post calls a procedure in JSON as the caller and returns the status.
func (b *fixture) post(t *testing.T, procedure, caller, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+procedure, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+rpctest.Token(t, caller, "gateway"))
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, errors.Join(err, response.Body.Close()))
	return response.StatusCode
}

// A call that its token does not permit is in the trail when the caller has its response: caller, procedure, and the seller
// that it named.
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
		require.JSONEq(t, `{"cause": "permission_denied"}`, entry.Detail)
	}
	require.Len(t, b.refused(t), 5)
}

// A procedure without an action would not be recorded in the trail.
func TestRefusals_everyProcedureHasAnAction(t *testing.T) {
	t.Parallel()
	for _, procedure := range rpc.Procedures() {
		require.Equal(t, strings.HasPrefix(procedure, "/gateway.v1."), keysrpc.Wanted(procedure) != "", procedure)
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

// A caller that disconnects is recorded nevertheless, and a trail that cannot be written fails no response.
func TestRefusals_recordedAnyway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	attempt := rpc.Refusal{
		Caller: "qna", Procedure: gatewayv1connect.KeysListKeysProcedure,
		Message: &gatewayv1.ListKeysRequest{SellerId: b.seller, Actor: "kim"},
	}
	ctx, hangUp := context.WithCancel(t.Context())
	hangUp()
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	keysrpc.NewRecorder(b.Store.RecordRefusal, logger)(ctx, attempt)
	require.Len(t, b.refused(t), 1)
	require.Empty(t, log.String())
	keysrpc.NewRecorder(func(context.Context, audit.Refusal) error { return errors.New("away") }, logger)(ctx, attempt)
	require.Contains(t, log.String(), "away")
}
