package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

// Pages show the periods of this installation and its key, even if they differ from the published ones, which they show where no
// script may run.
func TestSite_statusShowsOwnPeriods(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	key := filepath.Join(t.TempDir(), "shown.key")
	require.NoError(t, os.WriteFile(key, []byte("vpk_test_shown"), 0o600))
	s := stacktest.Own(t, func(config *stack.Config) {
		config.ShownKeyFile = key
		config.Periods = stack.Periods{
			ConfirmAfter: 11 * day, ConfirmAfterClaim: 30 * time.Hour, Request: 13 * day,
			Inspection: 14 * day, Payment: 15 * day,
		}
	})
	b := browser.Open(t)
	for language, want := range map[string][]string{
		"en": {"11 days", "30 hours", "13 days", "14 days", "15 days", "development (vpk_test_)"},
		"ko": {"11일", "30시간", "13일", "14일", "15일", "개발(vpk_test_)"},
	} {
		b.Visit(t, s.GatewayURL+"/docs/"+language+"/status")
		for _, text := range want {
			b.Await(t, fmt.Sprintf(`[...document.querySelectorAll("td")].some((cell) => cell.textContent === %q)`, text))
		}
	}
	b.Visit(t, s.GatewayURL+"/docs/en/start")
	b.Await(t, fmt.Sprintf(`document.querySelector("main").innerText.includes("GATEWAY_URL=%s\nexport SELLER_A_KEY=vpk_test_shown")`,
		s.GatewayURL))
	require.Empty(t, b.Barriers(t))
	require.Empty(t, b.Complaints(s.GatewayURL))
	b.WithoutScripts(t)
	b.Visit(t, s.GatewayURL+"/docs/en/status")
	shown := b.Text(t, `document.querySelector("main").innerText`)
	for _, text := range []string{"8 days", "24 hours", "7 days", "3 days", "These are the published values."} {
		require.Contains(t, shown, text)
	}
	b.Visit(t, s.GatewayURL+"/docs/en/start")
	require.NotContains(t, b.Text(t, `document.querySelector("main").innerText`), "This system")
}
