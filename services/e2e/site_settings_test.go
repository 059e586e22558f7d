package e2e

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

// The status page shows the periods of this installation, even if they differ from the published ones.
func TestSite_statusShowsOwnPeriods(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	s := stacktest.Own(t, func(config *stack.Config) {
		config.Periods = stack.Periods{
			ConfirmAfter: 11 * day, ConfirmAfterClaim: 30 * time.Hour, Request: 13 * day,
			Inspection: 14 * day, Payment: 15 * day,
		}
	})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.GatewayURL+"/docs/en/status", nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request) // the page is not part of the contract
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	page, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	for _, want := range []string{"11 days", "30 hours", "13 days", "14 days", "15 days"} {
		require.Contains(t, string(page), "<td>"+want+"</td>")
	}
}
