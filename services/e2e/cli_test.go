package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/korean"

	"sellerapi.dev/services/e2e/stacktest"
)

var sellerProgram = sync.OnceValues(func() (string, error) {
	path, err := filepath.Abs(filepath.Join(root, ".run", "test", "sellerapi"))
	if err != nil {
		return "", err
	}
	build := exec.CommandContext(context.Background(), "go", "build", "-o", path, "./cmd/sellerapi")
	build.Dir = filepath.Join(root, "proto", "clients", "cli")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, said)
	}
	return path, nil
})

type sellerTerminal struct {
	dir         string
	environment []string
}

func (w sellerTerminal) runs(t *testing.T, input string, arguments ...string) (string, int) {
	t.Helper()
	program, err := sellerProgram()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), program, arguments...) //nolint:gosec // the commands of this file
	command.Dir, command.Env = w.dir, w.environment
	command.Stdin = bytes.NewBufferString(input)
	said, err := command.CombinedOutput()
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		require.NoError(t, err)
	}
	return string(said), command.ProcessState.ExitCode()
}

// TestProgram_shipsSheetOfCarrier follows a seller's usual work: the key is stored, the doctor finds no problem, the sheet of a
// carrier's program is shipped, and the local copy and the history show it.
func TestProgram_shipsSheetOfCarrier(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller, dir := s.Seller(t), t.TempDir()
	order := s.PlaceNew(t, seller.ID, stacktest.Lines(stacktest.NewLine("순면 티셔츠"), stacktest.NewLine("린넨 셔츠")))
	held := s.PlaceNew(t, seller.ID)
	s.HoldLine(t, itemOf(held, 0))
	w := sellerTerminal{dir, []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir}}

	said, code := w.runs(t, seller.Key+"\n", "login", "--url", s.Witnessed(t))
	require.Zero(t, code, said)
	require.NotContains(t, said, seller.Key)
	said, code = w.runs(t, "", "doctor")
	require.Zero(t, code, said)
	require.Contains(t, said, "All is well.")

	sheet, err := korean.EUCKR.NewEncoder().String(fmt.Sprintf("송장번호,주문번호,택배사\r\n6123-4567-8904,%s,CJ "+
		"대한통운\r\n612345678915,%s,대한통운\r\n",
		order.GetOrderNo(), held.GetOrderNo()))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "today.csv"), []byte(sheet), 0o600))
	said, code = w.runs(t, "", "ship", "today.csv", "--dry-run")
	require.Equal(t, 3, code, said)
	require.Contains(t, said, "ready    1")
	require.Contains(t, said, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	for range 2 { // the second run changes nothing
		said, code = w.runs(t, "", "ship", "today.csv")
		require.Equal(t, 3, code, said)
		require.Contains(t, said, "shipped  1")
		require.Contains(t, said, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	}

	said, code = w.runs(t, "", "sync", "--db", "seller.db")
	require.Zero(t, code, said)
	require.Contains(t, said, "orders    2\n")
	said, code = w.runs(t, "", "orders", "--status", "shipping", "--csv")
	require.Zero(t, code, said)
	require.Contains(t, said, "612345678904")
	said, code = w.runs(t, "", "history", order.GetOrderNo())
	require.Zero(t, code, said)
	require.Regexp(t, `seller `+seller.Key[:12]+` +│ parcel +│ - +│ CJ대한통운 +│ 612345678904 `, said)
	said, code = w.runs(t, "", "history", "no-such-number")
	require.Equal(t, 1, code, said)
	require.Contains(t, said, "CLAIM_NOT_FOUND")
}

// TestProgram_correctsShipment corrects a mistyped number: not before the marketplace permits it, and nothing in a dry run.
func TestProgram_correctsShipment(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller, dir := s.Seller(t), t.TempDir()
	order := s.PlaceNew(t, seller.ID, stacktest.InState("shipping"))
	w := sellerTerminal{dir, []string{"HOME=" + dir, "SELLER_API_URL=" + s.Witnessed(t), "SELLER_API_KEY=" + seller.Key}}
	line := []string{"correct", order.GetOrderNo(), "6123-4567-8915", "--json"}
	said, code := w.runs(t, "", line...)
	require.Equal(t, 1, code, said)
	require.Contains(t, said, "the marketplace has not enabled corrections for you")
	s.PermitCorrection(t, seller.ID, true)
	said, code = w.runs(t, "", append(line, "--dry-run")...)
	require.Zero(t, code, said)
	require.Contains(t, said, `"result":"ready"`)
	for _, result := range []string{"corrected", "already_done"} {
		said, code = w.runs(t, "", line...)
		require.Zero(t, code, said)
		require.Contains(t, said, `"result":"`+result+`"`)
	}
	said, code = w.runs(t, "", "history", order.GetOrderNo(), "--csv")
	require.Zero(t, code, said)
	require.Regexp(t, `seller `+seller.Key[:12]+`,parcel,,CJ대한통운,612345678915,`, said)
}

// TestProgram_answersInquiry answers what sellerapi qna lists.
func TestProgram_answersInquiry(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller, dir := s.Seller(t), t.TempDir()
	asked := stacktest.NewInquiry(seller.ID)
	s.Ask(t, asked)
	w := sellerTerminal{dir, []string{"HOME=" + dir, "SELLER_API_URL=" + s.Witnessed(t), "SELLER_API_KEY=" + seller.Key}}
	said, code := w.runs(t, "", "qna", "--status", "waiting", "--json")
	require.Zero(t, code, said)
	require.Contains(t, said, asked.GetQnaId())
	said, code = w.runs(t, "네, 가능합니다.\n", "answer", asked.GetQnaId(), "-")
	require.Zero(t, code, said)
	said, code = w.runs(t, "", "qna", "--status", "soon", "--language", "en")
	require.Equal(t, 1, code, said)
	require.Regexp(t, `list_inquiries: 422 VALIDATION_ERROR: query\.status .+ \(request \S+\)`, said)
	said, code = w.runs(t, "", "answer", asked.GetQnaId(), "아니요")
	require.Equal(t, 1, code, said)
	require.Contains(t, said, "QNA_ALREADY_ANSWERED")
}
