package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/services/e2e/stacktest"
)

// changesPage is an answer of ListChanges in JSON.
type changesPage struct {
	Changes []struct {
		Record     any
		MemberID   string            `json:"memberId"`
		ProductIDs map[string]string `json:"productIds"`
	}
	After string
	More  bool
}

// core calls a procedure with JSON, as the marketplace's backend can.
func core(t *testing.T, token, address, body string, answer any) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	if response.StatusCode == http.StatusOK {
		require.NoError(t, json.Unmarshal(text, answer), "%s", text)
	}
	return response.StatusCode
}

// The marketplace reads the records that sellers see, member by member, and both have the same positions. No other caller reads
// them.
func TestChanges_recordsOfPublicLists(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	placed := d.PlaceNew(t, d.seller.ID, lines(2), stacktest.Claimable(stacktest.Return))
	line := placed.GetSellers()[0].GetLines()[0].GetItemId()
	d.RequestClaim(t, stacktest.NewClaim(stacktest.Return, placed, stacktest.OnlyLines(line)))
	d.place(t, stacktest.InState("shipping"))
	d.Ask(t, stacktest.NewInquiry(d.seller.ID))
	env := d.Env(d.seller, d.seller)
	for path, service := range map[string]string{
		"/open/v1/orders": env.OrdersRPCURL + "/orders.v1.Changes/", "/open/v1/claims": env.ClaimsRPCURL + "/claims.v1.Changes/",
		"/open/v1/qna": env.QnARPCURL + "/qna.v1.Changes/",
	} {
		public := stacktest.RequireOK[stacktest.Page[any]](t, d.client.Do(t, stacktest.Get("", path, "after", "beginning")))
		require.NotEmpty(t, public.List, path)
		var page changesPage
		require.Equal(t, http.StatusOK, core(t, env.RPCToken, service+"ListChanges", `{"seller_id":"`+d.seller.ID+`"}`, &page))
		records := make([]any, len(page.Changes))
		for i, change := range page.Changes {
			records[i] = change.Record
		}
		require.Equal(t, public.List, records, path)
		again := stacktest.RequireOK[stacktest.Page[any]](t, d.client.Do(t, stacktest.Get("", path, "after", page.After)))
		require.Empty(t, again.List, path)
		require.Equal(t, page.After, again.After, path)
		var sellers struct{ Next string }
		require.Equal(t, http.StatusOK, core(t, env.RPCToken, service+"ChangedSellers", `{"limit":1}`, &sellers))
		require.NotEmpty(t, sellers.Next)
		for _, caller := range rpc.Callers() {
			if slices.Contains([]string{rpc.CallerMarketplace, rpc.CallerGateway, rpc.CallerSandbox}, caller) { // they sign their own
				continue
			}
			status := core(t, d.TokenFor(caller), service+"ListChanges", `{"seller_id":"`+d.seller.ID+`"}`, nil)
			require.Contains(t, []int{http.StatusForbidden, http.StatusUnauthorized}, status, caller)
		}
	}
}
