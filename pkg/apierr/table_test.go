package apierr_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// published is the error table of the API, repeated here: code, HTTP status, and whether a batch response may carry it.
var published = []struct {
	code   string
	status int
	batch  bool
}{
	{"ORDER_BATCH_ERROR", 200, true},
	{"SHIPMENT_FIELDS_REQUIRED", 400, true},
	{"SHIPMENT_INPUT_INVALID", 400, true},
	{"API_KEY_REQUIRED", 401, false},
	{"INVALID_API_KEY", 401, false},
	{"SCOPE_FORBIDDEN", 403, false},
	{"ORDER_NOT_FOUND", 404, true},
	{"CLAIM_NOT_FOUND", 404, false},
	{"QNA_NOT_FOUND", 404, false},
	{"ORDER_ITEM_NOT_FOUND", 404, true},
	{"IDEMPOTENCY_KEY_REUSED", 409, false},
	{"IDEMPOTENCY_IN_PROGRESS", 409, false},
	{"IDEMPOTENCY_UNRESOLVED", 409, false},
	{"ORDER_ITEM_NOT_PREPARABLE", 409, false},
	{"ORDER_ITEM_NOT_SHIPPABLE", 409, true},
	{"ORDER_ITEM_NOT_DELIVERABLE", 409, false},
	{"ORDER_ITEM_HAS_ACTIVE_CLAIM", 409, true},
	{"SHIPMENT_STATE_CONFLICT", 409, true},
	{"EXCHANGE_ITEM_NOT_PREPARABLE", 409, false},
	{"EXCHANGE_ITEM_NOT_RESHIPPING", 409, true},
	{"CLAIM_NOT_APPROVABLE", 409, false},
	{"CLAIM_NOT_REJECTABLE", 409, false},
	{"CLAIM_NOT_COLLECTABLE", 409, false},
	{"CLAIM_NOT_COLLECT_DONE", 409, false},
	{"CLAIM_NOT_INSPECTABLE", 409, false},
	{"CLAIM_NOT_RESHIPPABLE", 409, false},
	{"EXCHANGE_ITEM_SHIP_FAILED", 409, false},
	{"QNA_ALREADY_ANSWERED", 409, false},
	{"QNA_ANSWER_UNRESOLVED", 409, false},
	{"IDEMPOTENCY_RESULT_EXPIRED", 410, false},
	{"VALIDATION_ERROR", 422, false},
	{"IDEMPOTENCY_KEY_REQUIRED", 422, false},
	{"IDEMPOTENCY_KEY_TOO_LONG", 422, false},
	{"INVALID_CURSOR", 422, false},
	{"STATUS_CHANGED_FILTER_INCOMPLETE", 422, false},
	{"STATUS_CHANGED_RANGE_INVALID", 422, false},
	{"SHIPMENT_CARRIER_NOT_ALLOWED", 422, true},
	{"RATE_LIMITED", 429, false},
	{"RATE_LIMIT_UNAVAILABLE", 503, false},
}

// unpublished are the failures without a published code, with their statuses.
var unpublished = []struct {
	code   apierr.Code
	status int
}{
	{apierr.Unauthenticated, 401},
	{apierr.RouteNotFound, 404},
	{apierr.MethodNotAllowed, 405},
	{apierr.BodyTooSlow, 408},
	{apierr.BodyTooLarge, 413},
	{apierr.UnsupportedMediaType, 415},
	{apierr.Internal, 500},
	{apierr.BadUpstream, 502},
	{apierr.Unavailable, 503},
	{apierr.UpstreamTimeout, 504},
}

// The table begins with the published codes in their published order; additions follow them.
func TestTable_beginsWithThePublishedCodes(t *testing.T) {
	t.Parallel()
	rows := apierr.Codes()
	for i, want := range published {
		got := rows[i].Code
		require.Equal(t, apierr.Code(want.code), got)
		require.Equal(t, want.code, got.WireCode())
		require.Equal(t, want.status, got.Status(), want.code)
		require.Equal(t, want.batch, got.Batch(), want.code)
	}
	require.Equal(t, 400, apierr.ClaimMemoRequired.Status())
}

// Clients get the published codes under their own names; the rows after them have no published code.
func TestTable_unpublishedComeLast(t *testing.T) {
	t.Parallel()
	all := apierr.Codes()
	named, rest := all[:len(all)-len(unpublished)], all[len(all)-len(unpublished):]
	for _, row := range named {
		require.Equal(t, string(row.Code), row.Code.WireCode())
	}
	for i, want := range unpublished {
		got := rest[i].Code
		require.Equal(t, want.code, got)
		require.Equal(t, want.status, got.Status(), want.code)
		require.Empty(t, got.WireCode(), "must be null in answers")
		require.False(t, got.Batch(), want.code)
	}
}

// No two rows of the table share a code.
func TestTable_codesUnique(t *testing.T) {
	t.Parallel()
	seen := map[apierr.Code]bool{}
	for _, row := range apierr.Codes() {
		require.False(t, seen[row.Code], row.Code)
		seen[row.Code] = true
	}
}

// Every row has a text of its own in both languages.
func TestTable_distinctTextsInBothLanguages(t *testing.T) {
	t.Parallel()
	texts := map[string]apierr.Code{}
	for _, row := range apierr.Codes() {
		for _, lang := range []apierr.Lang{apierr.English, apierr.Korean} {
			text := row.Code.Message(lang)
			require.NotEmpty(t, text, row.Code)
			require.Empty(t, texts[text], "%s has the text of another row", row.Code)
			texts[text] = row.Code
		}
	}
}

// Only final decisions of the owning service may be replayed for a day; a stored response that asks for a retry would make every
// retry fail.
func TestTable_storesFinalDecisionsOnly(t *testing.T) {
	t.Parallel()
	notStoredConflicts := []apierr.Code{
		apierr.IdempotencyInProgress, apierr.IdempotencyUnresolved,
		apierr.QnaAnswerUnresolved, apierr.ExchangeItemShipFailed,
		apierr.IdempotencyKeyReused, // concerns the key of another request, which has its own response
	}
	for _, row := range apierr.Codes() {
		want := false
		switch row.Status {
		case 200, 404:
			want = row.Code != apierr.RouteNotFound // not a decision of a service
		case 409:
			want = true
			for _, code := range notStoredConflicts {
				want = want && row.Code != code
			}
		}
		require.Equal(t, want, row.Code.Stored(), row.Code)
	}
}

func TestTable_transientFailuresHaveRetryAfter(t *testing.T) {
	t.Parallel()
	for _, row := range apierr.Codes() {
		want := row.Status == 429 || row.Status == 503 || row.Code == apierr.IdempotencyInProgress
		require.Equal(t, want, row.Code.RetryAfter() > 0, row.Code)
	}
}

// In a batch only the codes marked for it appear; every other one becomes ORDER_BATCH_ERROR.
func TestInBatch_onlyMarkedCodesNamed(t *testing.T) {
	t.Parallel()
	for _, row := range apierr.Codes() {
		want := apierr.OrderBatchError
		if row.Batch {
			want = row.Code
		}
		require.Equal(t, want, row.Code.InBatch())
	}
}

// Lookup finds every code of the table and no other.
func TestLookup_exactlyTheTable(t *testing.T) {
	t.Parallel()
	for _, row := range apierr.Codes() {
		code, ok := apierr.Lookup(string(row.Code))
		require.True(t, ok)
		require.Equal(t, row.Code, code)
	}
	_, ok := apierr.Lookup("NO_SUCH_CODE")
	require.False(t, ok)
}

// An unpublished code must not leave the service, wherever it comes from.
func TestCode_outsideTableIsInternal(t *testing.T) {
	t.Parallel()
	stray := apierr.Code("NO_SUCH_CODE")
	require.Equal(t, 500, stray.Status())
	require.Empty(t, stray.WireCode())
	require.Equal(t, apierr.Internal, apierr.From(stray).Code)
	require.Equal(t, apierr.Internal, apierr.From(stray.With(nil)).Code)
}

// A caller that changes the returned rows does not change the table.
func TestTable_immutableFromOutside(t *testing.T) {
	t.Parallel()
	apierr.Codes()[0].Status = 500
	require.Equal(t, 200, apierr.Codes()[0].Status)
	require.Equal(t, 200, apierr.OrderBatchError.Status())
}
