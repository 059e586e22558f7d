package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/e2e/stacktest"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// The commands that a developer copies from the guide must run unchanged, up to the completed exchange: outside of the
// repository too, with the first line that the page names for that.
func TestWalk_leadsAnExchangeToItsEnd(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	s, dir, repository := d.Stack, t.TempDir(), t.TempDir()
	canceled, frozen := d.newClaim(t, stacktest.Cancel), d.newClaim(t, stacktest.Cancel)
	d.FreezeClaim(t, frozen.ClaimNo, "fraud")
	require.NoError(t, os.Mkdir(filepath.Join(repository, ".run"), 0o700))
	env := s.Env(d.seller, s.Seller(t))
	env.GatewayURL = s.Witnessed(t)
	require.NoError(t, os.WriteFile(filepath.Join(repository, ".run", envfile.Name), envfile.Format(env), 0o600))

	blocks := shellBlocks(t)
	require.Len(t, blocks, 16)
	require.True(t, strings.HasPrefix(blocks[0], inRepository))
	blocks[0] = strings.Replace(blocks[0], inRepository, elsewhere, 1)
	shell := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", strings.Join(blocks, "\n"))
	shell.Dir, shell.Env = dir, append(os.Environ(), "REPO="+repository)
	var problems strings.Builder
	shell.Stderr = &problems
	said, err := shell.Output()
	require.NoError(t, err, "%s\n%s", said, problems.String())

	claim, order := lastTold(t, string(said))
	require.Equal(t, "exchange", claim.Type)
	require.Equal(t, "completed", claim.Status)
	require.Equal(t, "612345678915", *claim.ReshipTrackingNo)
	lines := map[string]string{}
	for _, item := range order.Items {
		name := item.ProductName + " " + item.OptionName
		if item.ItemStatus != "delivered" {
			lines[name+" "+item.ItemStatus] = *item.TrackingNo
		}
		require.Equal(t, item.OptionName == "블랙 / L", item.IsExchange)
		require.False(t, item.HasActiveClaim)
	}
	require.Equal(t, map[string]string{"순면 티셔츠 블랙 / L shipping": "612345678915", "순면 티셔츠 블랙 / M exchanged": "612345678904"}, lines)
	require.Len(t, order.Items, 4, "the piece that stayed, the other line, the exchanged piece and the new one")
	copied, err := os.ReadFile(filepath.Join(dir, ".run", "orders.jsonl"))
	require.NoError(t, err)
	require.Contains(t, string(copied), `"next_cursor":null`)
	require.Contains(t, strings.ToLower(string(said)), "x-ratelimit-remaining: ")
	require.Contains(t, strings.ToLower(string(said)), "idempotent-replayed: true")
	require.Contains(t, string(said), `"converged":false`)
	require.Contains(t, string(said), `"converged":true`)
	d.client.AwaitClaim(t, canceled.ClaimNo, "completed")
	require.Contains(t, problems.String(), "refused: "+frozen.ClaimNo)
}

// inRepository is the first line of the commands, elsewhere what the page says to write in its place outside of the repository.
const inRepository, elsewhere = ". .run/stack.env\n", `. "$REPO/.run/stack.env"` + "\n"

// Outside of the repository, developers find the first line on the page.
func TestWalk_firstLineElsewhere(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "ko"} {
		page, err := os.ReadFile(filepath.Join(root, guides, language, "start.md"))
		require.NoError(t, err)
		require.Contains(t, string(page), "`"+strings.TrimSpace(elsewhere)+"`", language)
	}
}

// The commands are the same in English and Korean, so that readers of both copy tested commands. Their comments are in the
// language of the page.
func TestWalk_koreanCommandsAreTheSame(t *testing.T) {
	t.Parallel()
	english, korean := strings.Join(blocksIn(t, "en"), "\n"), strings.Join(blocksIn(t, "ko"), "\n")
	require.Equal(t, shellComment.ReplaceAllString(english, ""), shellComment.ReplaceAllString(korean, ""))
	require.Len(t, shellComment.FindAllString(korean, -1), len(shellComment.FindAllString(english, -1)))
	for _, comment := range shellComment.FindAllString(korean, -1) {
		require.Regexp(t, `\p{Hangul}`, comment)
	}
}

var shellComment = regexp.MustCompile(`(?m)(^|[ \t]+)# .*$`)

// The guide promises the first call in ten lines.
func TestWalk_firstCallInTenLines(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "ko"} {
		first := blocksIn(t, language)[0]
		require.Contains(t, first, "api \"$base/orders")
		require.LessOrEqual(t, strings.Count(first, "\n"), 10, language)
	}
}

func shellBlocks(t *testing.T) []string {
	t.Helper()
	return blocksIn(t, "en")
}

func blocksIn(t *testing.T, language string) []string {
	t.Helper()
	var blocks []string
	for _, name := range walked {
		page, err := os.ReadFile(filepath.Join(root, guides, language, name+".md"))
		require.NoError(t, err)
		for _, block := range shellBlock.FindAllSubmatch(page, -1) {
			blocks = append(blocks, string(block[1]))
		}
	}
	return blocks
}

func lastTold(t *testing.T, said string) (claim stacktest.Claim, order stacktest.Order) {
	t.Helper()
	for line := range strings.Lines(said) {
		var told struct {
			Data json.RawMessage `json:"data"`
		}
		if !strings.HasPrefix(line, "{") {
			continue
		}
		require.NoError(t, json.Unmarshal([]byte(line), &told), line)
		switch {
		case strings.HasPrefix(string(told.Data), `{"claim_no"`):
			claim = stacktest.Claim{}
			require.NoError(t, json.Unmarshal(told.Data, &claim))
		case strings.HasPrefix(string(told.Data), `{"order_no"`):
			order = stacktest.Order{}
			require.NoError(t, json.Unmarshal(told.Data, &order))
		}
	}
	return claim, order
}
