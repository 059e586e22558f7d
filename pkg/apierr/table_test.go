package apierr_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

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
