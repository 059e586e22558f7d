package rest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/claims/internal/claim"
)

func page(t *testing.T, got answer) (numbers []string, next *string) {
	t.Helper()
	require.Equal(t, http.StatusOK, got.status, got.body)
	var data struct {
		List []struct {
			ClaimNo string `json:"claim_no"`
		} `json:"list"`
		NextCursor *string `json:"next_cursor"`
	}
	require.NoError(t, json.Unmarshal(got.data, &data))
	require.NotNil(t, data.List)
	for _, element := range data.List {
		numbers = append(numbers, element.ClaimNo)
	}
	require.Equal(t, strconv.Itoa(len(numbers)), got.header.Get("X-Rows"), "the gateway settles the row budget with it")
	return numbers, data.NextCursor
}

// walk follows the cursors; query is sent with each page as the specification asks.
func (b fixture) walk(t *testing.T, seller uuid.UUID, query string) []string {
	t.Helper()
	numbers, next := page(t, b.get(t, seller, "claims", query))
	for next != nil {
		var more []string
		more, next = page(t, b.get(t, seller, "claims", query+"&cursor="+url.QueryEscape(*next)))
		numbers = append(numbers, more...)
	}
	return numbers
}

// The list shows the claim with the newest change first.
func TestList_newestChangeFirst(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	first, second := b.openOne(t, seller, claim.Return), b.openOne(t, seller, claim.Cancel)
	first = b.advance(t, first, 1)
	got := b.get(t, seller, "claims", "")
	requireGolden(t, "list", got.body, first.No, "FIRST", second.No, "SECOND",
		timestamp.Format(first.RequestedAt), "FIRST_REQUESTED", timestamp.Format(first.UpdatedAt), "FIRST_UPDATED",
		timestamp.Format(second.RequestedAt), "SECOND_REQUESTED")
}

// An empty list is encoded as an empty list and not as null.
func TestList_emptyIsNotNull(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.JSONEq(t, `{"list":[],"next_cursor":null}`, string(b.get(t, uuid.New(), "claims", "status=requested").data))
}

// Only the seller's own claims are listed, without any data of another seller.
func TestList_onlyOwnClaims(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	mine := b.openOne(t, seller, claim.Return)
	secret := wanted(uuid.New(), claim.Exchange)
	secret.OrderNo, secret.Items[0].ExchangeOptionName = "canary", "canary"
	b.open(t, secret)
	got := b.get(t, seller, "claims", "")
	numbers, _ := page(t, got)
	require.Equal(t, []string{mine.No}, numbers)
	require.NotContains(t, got.body, "canary")
}

// A walk over the pages, of any size, returns every claim once.
func TestList_walkReturnsEverythingOnce(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for range 5 {
		for _, kind := range claim.Types() {
			b.openOne(t, seller, kind)
		}
	}
	all := b.walk(t, seller, "limit=100")
	require.Len(t, all, 15)
	for _, limit := range []string{"1", "3", "7", "15"} {
		require.Equal(t, all, b.walk(t, seller, "limit="+limit))
	}
}

// Filters are combined, their bounds are inclusive, and the cursor keeps them.
func TestList_filtersCombinedKeptByCursor(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	returns := make([]claim.Claim, 0, 3)
	for range 3 {
		returns = append(returns, b.openOne(t, seller, claim.Return))
		b.openOne(t, seller, claim.Cancel)
	}
	approved := b.advance(t, returns[1], 1)
	at := func(instant time.Time) string { return url.QueryEscape(timestamp.Format(instant)) }
	for query, want := range map[string][]string{
		"type=return":                 {approved.No, returns[2].No, returns[0].No},
		"type=return&status=approved": {approved.No},
		"type=exchange":               nil,
		"type=return&requested_at_gte=" + at(returns[1].RequestedAt):                                     {approved.No, returns[2].No},
		"type=return&requested_at_lte=" + at(returns[1].RequestedAt):                                     {approved.No, returns[0].No},
		"type=return&updated_at_gte=" + at(approved.UpdatedAt):                                           {approved.No},
		"type=return&updated_at_lte=" + at(returns[0].UpdatedAt):                                         {returns[0].No},
		"requested_at_gte=" + at(approved.RequestedAt) + "&requested_at_lte=" + at(approved.RequestedAt): {approved.No},
		"status=requested&type=return&updated_at_gte=" + at(returns[0].UpdatedAt.Add(time.Microsecond)):  {returns[2].No},
	} {
		require.Equal(t, want, b.walk(t, seller, query), query)
		require.Equal(t, want, b.walk(t, seller, query+"&limit=1"), query)
	}

	first, next := page(t, b.get(t, seller, "claims", "type=return&limit=1"))
	require.Equal(t, []string{approved.No}, first)
	rest, _ := page(t, b.get(t, seller, "claims", "cursor="+url.QueryEscape(*next)))
	require.Equal(t, []string{returns[2].No, returns[0].No}, rest, "omitted filters are those of the cursor")
	changed := b.get(t, seller, "claims", "type=cancel&cursor="+url.QueryEscape(*next))
	require.Equal(t, "INVALID_CURSOR", changed.code())
	require.Equal(t, "filters_changed", changed.meta.ErrorData["reason"])
	foreign := b.get(t, uuid.New(), "claims", "cursor="+url.QueryEscape(*next))
	require.Equal(t, "malformed", foreign.meta.ErrorData["reason"])
}

// Invalid filters are refused, and every wrong parameter is reported.
func TestList_422InvalidFilters(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for query, fields := range map[string]string{
		"type=swap":                   "query.type",
		"type=":                       "query.type",
		"status=done":                 "query.status",
		"status=Requested":            "query.status",
		"requested_at_gte=2026-03-02": "query.requested_at_gte",
		"updated_at_lte=2026-03-02T09:00:00+09:00": "query.updated_at_lte",
		"claim_no=C-1":            "query.claim_no",
		"limit=0":                 "query.limit",
		"limit=101":               "query.limit",
		"type=return&type=cancel": "query.type",
		"type=swap&status=done&limit=x&updated_at=":                             "query.limit query.status query.type query.updated_at",
		"requested_at_gte=2026-03-02T00:00Z&requested_at_lte=2026-03-01T00:00Z": "query.requested_at_gte",
	} {
		got := b.get(t, seller, "claims", query)
		require.Equal(t, http.StatusUnprocessableEntity, got.status, query)
		require.Equal(t, "VALIDATION_ERROR", got.code(), query)
		require.ElementsMatch(t, strings.Fields(fields), got.fields(t), query)
		require.Equal(t, "0", got.header.Get("X-Rows"), "an error costs no row")
	}
	require.Equal(t, "INVALID_CURSOR", b.get(t, seller, "claims", "cursor=").code())
}

// The list can be filtered by every type and every state.
func TestList_everyTypeAndState(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for _, kind := range claim.Types() {
		for _, status := range claim.Statuses() {
			got := b.get(t, seller, "claims", "type="+string(kind)+"&status="+string(status))
			require.Equal(t, http.StatusOK, got.status, got.body)
		}
	}
}

// A frozen claim shows no deadline, in the list and in the detail: nothing happens at that time.
func TestFrozen_showsNoDeadline(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	w := wanted(seller, claim.Exchange)
	w.Items[0].ExchangeUnitPrice = 9000
	for _, c := range []claim.Claim{b.advance(t, b.openOne(t, seller, claim.Return), 3), b.open(t, w)} {
		shown := func() (due []any) {
			var list struct{ List []map[string]any }
			var detail map[string]any
			require.NoError(t, json.Unmarshal(b.get(t, seller, "claims", "type="+string(c.Type)).data, &list))
			require.NoError(t, json.Unmarshal(b.get(t, seller, "claims/"+c.No, "").data, &detail))
			require.Equal(t, detail, list.List[0])
			for _, name := range []string{"inspection_due_at", "payment_due_at"} {
				if at := detail[name]; at != nil {
					due = append(due, at)
				}
			}
			return due
		}
		confirm := func() {
			if c.Type == claim.Exchange {
				require.Empty(t, shown(), "registered")
				b.change(t, c, func(c *claim.Claim, now time.Time) claim.Decision { return c.ConfirmFreeze(*c.Freeze, now) })
			}
		}
		require.Len(t, shown(), 1)
		b.change(t, c, func(c *claim.Claim, now time.Time) claim.Decision {
			return c.SetFreeze("kim", claim.FreezeOther, "called", now)
		})
		confirm()
		require.Empty(t, shown())
		b.change(t, c, func(c *claim.Claim, now time.Time) claim.Decision { return c.LiftFreeze("kim", now) })
		confirm()
		require.Len(t, shown(), 1)
	}
}
