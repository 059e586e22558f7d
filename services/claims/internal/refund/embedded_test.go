package refund_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
)

// ask sends a refund to an embedded provider with this configuration.
func ask(t *testing.T, config refund.EmbeddedConfig, q refund.Question) refund.Word {
	t.Helper()
	provider, err := refund.Open(refund.Config{Embedded: config})
	require.NoError(t, err)
	defer provider.Close()
	word, err := provider.Ask(t.Context(), q)
	require.NoError(t, err)
	return word
}

func TestEmbedded_paysAtOnceByDefault(t *testing.T) {
	t.Parallel()
	q := question()
	require.Equal(t, refund.Word{Trigger: claim.Succeed, Reference: "embedded-" + q.ID.String()}, ask(t, refund.EmbeddedConfig{}, q))
}

func TestEmbedded_claimNumberSuffix(t *testing.T) {
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
