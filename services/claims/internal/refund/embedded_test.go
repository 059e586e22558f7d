package refund_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
)

func ask(t *testing.T, config refund.EmbeddedConfig, r refund.Request) refund.Result {
	t.Helper()
	provider, err := refund.Open(refund.Config{Embedded: config})
	require.NoError(t, err)
	defer provider.Close()
	result, err := provider.Refund(t.Context(), r)
	require.NoError(t, err)
	return result
}

func TestEmbedded_paysAtOnceByDefault(t *testing.T) {
	t.Parallel()
	r := request()
	require.Equal(t, refund.Result{Trigger: claim.Succeed, Reference: "embedded-" + r.ID.String()},
		ask(t, refund.EmbeddedConfig{}, r))
}

func TestEmbedded_claimNumberSuffix(t *testing.T) {
	t.Parallel()
	told := refund.EmbeddedConfig{FailEnding: "-F", AccountEnding: "-A"}
	for number, want := range map[string]claim.RefundTrigger{
		"C-1-F": claim.Failure, "C-1-A": claim.NeedAccount, "C-1": claim.Succeed, "C-F-1": claim.Succeed, "": claim.Succeed,
	} {
		r := request()
		r.ClaimNo = number
		require.Equal(t, want, ask(t, told, r).Trigger, number)
		require.Equal(t, claim.Succeed, ask(t, refund.EmbeddedConfig{}, r).Trigger, number)
	}
}
