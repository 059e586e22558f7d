package rpc

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite ACCESS.md")

// Allow adds a row to the access table of one mux, for procedures that exist in tests only.
func (m *Mux) Allow(procedure string, callers ...string) { m.access[procedure] = callers }

func TestAccess(t *testing.T) {
	t.Parallel()
	// The document tells operators who may do what, so it must match the code.
	t.Run("document", func(t *testing.T) {
		t.Parallel()
		const file = "ACCESS.md"
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(accessDocument()), 0o600))
		}
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, accessDocument(), string(content), "run go generate")
	})
	// No token can be made for a misspelt caller in a row.
	t.Run("known callers", func(t *testing.T) {
		t.Parallel()
		used := map[string]bool{}
		for procedure, allowed := range access {
			require.NotEmpty(t, allowed, procedure)
			for _, caller := range allowed {
				require.Contains(t, Callers(), caller, procedure)
				used[caller] = true
			}
		}
		require.Len(t, used, len(Callers()), "a caller without a procedure")
		require.True(t, slices.IsSorted(Callers()))
	})
	// The storefront's token is the one closest to customers' browsers: it opens nothing of operators, payments and keys.
	t.Run("storefront", func(t *testing.T) {
		t.Parallel()
		var open []string
		for _, procedure := range Procedures() {
			if access.allows(CallerStorefront, procedure) {
				open = append(open, procedure)
			}
		}
		require.Equal(t, []string{
			"/claims.v1.Intake/RequestClaim", "/claims.v1.Intake/WithdrawClaim", "/orders.v1.Intake/ConfirmPurchase",
			"/orders.v1.Intake/PlaceOrders", "/qna.v1.Intake/PostInquiries",
		}, open)
		require.Equal(t, []string{"claims", "orders", "qna"}, Audience(CallerStorefront))
		require.Equal(t, []string{"orders"}, Audience(CallerClaims))
	})
	// What is read back has members, products and refunds of every seller: it is for the marketplace core alone. The console, whose
	// people see calls of a seller, reads the one record that such a call names, and no list; so does the sandbox, with the seller
	// of the key.
	t.Run("way back", func(t *testing.T) {
		t.Parallel()
		found := 0
		for _, procedure := range Procedures() {
			if strings.Contains(procedure, ".v1.Changes/") {
				found++
				allowed := []string{CallerMarketplace}
				if strings.Contains(procedure, "/Get") {
					allowed = append(allowed, CallerConsole, CallerSandbox)
				}
				require.Equal(t, allowed, access[procedure], procedure)
			}
		}
		require.Equal(t, 9, found)
	})
	// The gateway faces the internet: it may ask when something changed, and nothing else.
	t.Run("gateway", func(t *testing.T) {
		t.Parallel()
		var open []string
		for _, procedure := range Procedures() {
			if access.allows(CallerGateway, procedure) {
				open = append(open, procedure)
			}
		}
		require.Equal(t, []string{"/claims.v1.Clocks/Last", "/orders.v1.Clocks/Last", "/qna.v1.Clocks/Last"}, open)
	})
	// The sandbox plays customers, operators and payments: nothing of keys, webhooks and policies, no list, and nothing of other
	// services.
	t.Run("sandbox", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"claims", "orders", "qna"}, Audience(CallerSandbox))
		for _, procedure := range Procedures() {
			isForCore := strings.Contains(procedure, "Policy") || strings.Contains(procedure, ".Changes/List") ||
				strings.Contains(procedure, "ClaimLines") || strings.Contains(procedure, "ChangedSellers")
			require.False(t, isForCore && access.allows(CallerSandbox, procedure), procedure)
		}
	})
	// Without orders of its own, the load of the cluster test would only read, and report that nothing was lost.
	t.Run("load", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"gateway", "orders"}, Audience(CallerLoad))
	})
	// The text of a key gives access to all data of a seller: only callers that show it to the seller may request it.
	t.Run("key text", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{CallerConsole}, access["/gateway.v1.Keys/RevealKey"])
	})
}

func accessDocument() string {
	var out strings.Builder
	out.WriteString("# Who may call what\n\nRendered from access.go by `go generate`; do not edit.\n\n| Caller | Is |\n|---|---|\n")
	header, rule := "| Procedure |", "|---|"
	for _, c := range callers {
		out.WriteString("| `" + c.name + "` | " + c.purpose + " |\n")
		header, rule = header+" "+c.name+" |", rule+":-:|"
	}
	out.WriteString("\n" + header + "\n" + rule + "\n")
	for _, procedure := range Procedures() {
		out.WriteString("| `" + procedure + "` |")
		for _, c := range callers {
			if access.allows(c.name, procedure) {
				out.WriteString(" yes |")
				continue
			}
			out.WriteString("  |")
		}
		out.WriteString("\n")
	}
	return out.String()
}
