package refund_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
)

// ask asks an embedded provider that behaves as told.
func ask(t *testing.T, config refund.EmbeddedConfig, q refund.Question) refund.Word {
	t.Helper()
	provider, err := refund.Open(refund.Config{Embedded: config})
	require.NoError(t, err)
	defer provider.Close()
	word, err := provider.Ask(t.Context(), q)
	require.NoError(t, err)
	return word
}

func TestTheEmbeddedProviderPaysAtOnceUnlessItIsToldOtherwise(t *testing.T) {
	t.Parallel()
	q := question()
	reference := "embedded-" + q.ID.String()
	require.Equal(t, refund.Word{Trigger: claim.Succeed, Reference: reference}, ask(t, refund.EmbeddedConfig{}, q))
	require.Equal(t, claim.Failure, ask(t, refund.EmbeddedConfig{FailPercent: 100}, q).Trigger)
	require.Equal(t, claim.NeedAccount, ask(t, refund.EmbeddedConfig{AccountPercent: 100}, q).Trigger)

	slow := refund.EmbeddedConfig{Delay: time.Hour}
	word := ask(t, slow, q)
	require.Equal(t, refund.Accepted, word.Trigger)
	require.InDelta(t, time.Hour, word.AskAgain, float64(time.Minute))
	q.QueuedAt = time.Now().Add(-time.Hour)
	require.Equal(t, claim.Succeed, ask(t, slow, q).Trigger)
}

func TestTheEmbeddedProviderIsToldByTheEndOfAClaimsNumber(t *testing.T) {
	t.Parallel()
	told := refund.EmbeddedConfig{FailEnding: "-F", AccountEnding: "-A"}
	for number, want := range map[string]claim.RefundTrigger{
		"C-1-F": claim.Failure, "C-1-A": claim.NeedAccount, "C-1": claim.Succeed, "C-F-1": claim.Succeed, "": claim.Succeed,
	} {
		q := question()
		q.ClaimNo = number
		require.Equal(t, want, ask(t, told, q).Trigger, number)
		require.Equal(t, claim.Succeed, ask(t, refund.EmbeddedConfig{}, q).Trigger, number)
	}
}

// A refund that is asked for again must not get another answer because of a die.
func TestSharesFallOnTheSameRefundsEveryTime(t *testing.T) {
	t.Parallel()
	shares := refund.EmbeddedConfig{FailPercent: 20, AccountPercent: 30}
	count := map[claim.RefundTrigger]int{}
	for range 2000 {
		q := question()
		word := ask(t, shares, q)
		require.Equal(t, word, ask(t, shares, q))
		count[word.Trigger]++
	}
	require.InDelta(t, 400, count[claim.Failure], 120)
	require.InDelta(t, 600, count[claim.NeedAccount], 120)
	require.InDelta(t, 1000, count[claim.Succeed], 150)
}
