package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

// marketplaceGuide is the page for the backends of marketplaces.
const marketplaceGuide = "marketplace"

// The commands of the page for marketplaces' backends run unchanged beside a system whose refunds its program pays: an order is
// placed and paid, a piece of it canceled and refunded, an inquiry answered, and the copy has all of that.
func TestGuides_marketplaceFedAndFollowed(t *testing.T) {
	t.Parallel()
	blocks := guideBlocks(t, "en/"+marketplaceGuide)
	require.Len(t, blocks["python"], 1)
	address := refundProvider(t, blocks["python"][0])
	keys, err := secret.NewKeys(refundKey)
	require.NoError(t, err)
	s := stacktest.Own(t, func(c *stack.Config) { c.Claims.RefundURL, c.Claims.RefundKeys = address, keys })
	dir, witness := t.TempDir(), s.Seller(t)
	env := s.Env(witness, witness)
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".run"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".run", envfile.Name), envfile.Format(env), 0o600))
	commands := slices.Concat(blocks["sh"], []string{`echo "$seller $order $item $claim $qna"`})
	said := runIn(t, dir, []string{"bash", "-euo", "pipefail", "-c", strings.Join(commands, "\n")})
	rows := strings.Split(strings.TrimSpace(said), "\n")
	names := strings.Fields(rows[len(rows)-1])
	require.Len(t, names, 5)

	copied := func(list string) (changed map[string]any) {
		text, err := os.ReadFile(filepath.Join(dir, ".run", list, names[0]+".jsonl"))
		require.NoError(t, err)
		var page struct{ Changes []map[string]any }
		require.NoError(t, json.Unmarshal(text, &page), "one page")
		require.Len(t, page.Changes, 1)
		return page.Changes[0]
	}
	order, claim, inquiry := copied("orders"), copied("claims"), copied("qna")
	require.Equal(t, names[1], order["record"].(map[string]any)["order_no"])
	require.Equal(t, "partially_claimed", order["record"].(map[string]any)["order_status"])
	require.Equal(t, "m-1", order["memberId"])
	require.Equal(t, "p-1", order["productIds"].(map[string]any)[names[2]])
	require.Equal(t, "completed", claim["record"].(map[string]any)["status"])
	require.Equal(t, "bank-1", claim["refunds"].([]any)[0].(map[string]any)["providerReference"])
	require.Equal(t, names[4], inquiry["record"].(map[string]any)["qna_id"])
	require.Equal(t, "네, 찬물로 세탁하세요.", inquiry["record"].(map[string]any)["answer"].(map[string]any)["content"])
}

var refundKey = []byte(strings.Repeat("r", secret.MinKeyBytes))

// refundProvider runs the program of the page until the test ends, and returns its address.
func refundProvider(t *testing.T, program string) string {
	t.Helper()
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().(*net.TCPAddr)
	require.NoError(t, free.Close())
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	running := exec.CommandContext(ctx, "python3", "-c", program)
	running.Env = append(os.Environ(), "PORT="+strconv.Itoa(address.Port),
		"REFUND_PROVIDER_KEYS="+base64.StdEncoding.EncodeToString(refundKey))
	require.NoError(t, running.Start())
	t.Cleanup(func() { stop(); _ = running.Wait() })
	require.Eventually(t, func() bool {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address.String())
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}, time.Minute, 20*time.Millisecond, "the program listens")
	return "http://" + address.String() + "/refunds"
}
