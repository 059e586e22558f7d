package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// The file for the results is opened before anything else: it may be open in a spreadsheet program. Until the outcome is known it
// says so, for a program that is killed.
func TestShip_resultBeforeCalls(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 1)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\nA1,412345678901,한진\nA2,412345678902,한진\n")
	for _, result := range []string{t.TempDir(), filepath.Join(t.TempDir(), "no", "folder.csv"), file} {
		require.Contains(t, w.runs(cli.ExitFailed, "ship", file, "--result", result), "the file for the results")
		require.Empty(t, m.calls)
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "order_no", "the file of the parcels is kept")
	during := map[string][]string{}
	m.intercept = func(http.ResponseWriter, []sellerapi.BatchShipmentEntry) bool {
		during = outcomes(t, file)
		return false
	}
	w.runs(cli.ExitPartly, "ship", file)
	require.Equal(t, []string{"unknown", "no answer: send the file again"}, during["2"][5:])
	require.Equal(t, []string{"refused", "no such order"}, during["3"][5:])
	require.Equal(t, "shipped", outcomes(t, file)["2"][5])
	require.Contains(t, w.runs(cli.ExitFailed, "ship", file, "--carrier", "FEDEX"), `--carrier: "FEDEX" is no carrier`)
}

// What became of parcels is kept: a dry run and files of something else do not replace each other's results, and what was not
// sent because the results could not be written is unsent.
func TestShip_resultKept(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 2)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\nA1,412345678901,한진\n")
	book := filepath.Join(filepath.Dir(file), "a.xlsx")
	require.NoError(t, os.Rename(
		inBook(t, "a.xlsx", []any{"order_no", "tracking_no", "carrier"}, []any{"A2", "412345678902", "한진"}), book))
	said := w.runs(cli.ExitFailed, "ship", file, "--result", "/dev/full")
	require.Contains(t, said, "412345678901,unsent,")
	require.Contains(t, said, "unsent   1\n")
	require.NotContains(t, said, "ready")
	require.Zero(t, m.calls["ship"])

	w.runs(cli.ExitDone, "ship", file, "--dry-run")
	w.runs(cli.ExitDone, "ship", file)
	w.runs(cli.ExitDone, "ship", book)
	w.runs(cli.ExitDone, "ship", file, "--dry-run")
	require.Equal(t, "ready", resultsIn(t, file+".check.csv", "check")["2"][5])
	require.Equal(t, []string{"A1", "shipped"}, []string{outcomes(t, file)["2"][1], outcomes(t, file)["2"][5]})
	require.Equal(t, []string{"A2", "shipped"}, []string{outcomes(t, book)["2"][1], outcomes(t, book)["2"][5]})

	m.calls = map[string]int{}
	other := inFile(t, "other.csv", "row,order_no\n")
	for _, line := range [][]string{
		{"ship", file, "--dry-run", "--result", file + ".result.csv"},
		{"ship", file, "--result", other},
		{"ship", file, "--dry-run", "--result", other},
		{"ship", file, "--result", book},
	} {
		before, err := os.ReadFile(line[len(line)-1])
		require.NoError(t, err)
		require.Contains(t, w.runs(cli.ExitFailed, line...), "has something else", line)
		after, err := os.ReadFile(line[len(line)-1])
		require.NoError(t, err)
		require.Equal(t, before, after, line)
		require.Empty(t, m.calls)
	}
	w.runs(cli.ExitDone, "ship", file, "--result", file+".check.csv") // what was to be done, by what was done
	require.Equal(t, "shipped", resultsIn(t, file+".check.csv", "result")["2"][5])
}

// One bad row costs that row, among more than a batch takes.
func TestShip_oneBadRow(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 502)
	rows := strings.Replace(parcels(502), ",400004000012,", ","+strings.Repeat("4", 61)+",", 1)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+rows)
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file), "row 5  A4  refused  row 5, column B (tracking_no): ")
	sent := m.parcels()
	require.Len(t, sent, 501)
}

// A batch that the server refuses as a whole, for a reason that the program does not know, is split until the bad entry is alone.
func TestShip_refusedBatchIsSplit(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 502)
	m.intercept = func(w http.ResponseWriter, batch []sellerapi.BatchShipmentEntry) bool {
		for i, entry := range batch {
			if entry.OrderNo == "A4" || entry.OrderNo == "A200" {
				w.WriteHeader(http.StatusUnprocessableEntity)
				_, _ = fmt.Fprintf(w,
					`{"meta": {"message": "items[%d] is bad", "error_code": "VALIDATION_ERROR", "error_data": {}}, "data": null}`, i)
				return true
			}
		}
		return false
	}
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+parcels(502))
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 5  A4  refused  VALIDATION_ERROR: items[0] is bad")
	require.Contains(t, said, "row 201  A200  refused  VALIDATION_ERROR: items[0] is bad\nrefused  2\n")
	require.Len(t, m.parcels(), 500)
}

// Orders are read by lists: one call each would use up the limits before anything is sent. What no list has is read alone.
func TestShip_ordersByLists(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("B", 150)
	m.placeMany("A", 130)
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+parcels(130)+"none1,412345678901,한진\n")
	for range 2 { // the second time all are shipped
		m.calls = map[string]int{}
		require.Contains(t, w.runs(cli.ExitPartly, "ship", file), "shipped  130\n")
		require.LessOrEqual(t, m.calls["list"], 5)
		require.LessOrEqual(t, m.calls["detail"], 1)
	}
}

func parcels(count int) string {
	var rows strings.Builder
	for i := range count {
		fmt.Fprintf(&rows, "A%d,4%011d,한진\n", i+1, (i+1)*1_000_003)
	}
	return rows.String()
}

// The parcels of a batch whose response is lost may have been registered, unlike those of the batches after it. The batch that
// the server refuses to take at the first attempt is not.
func TestShip_responseLost(t *testing.T) {
	t.Parallel()
	const lost = "unknown  500  no answer: send the file again\nunsent   1\n"
	for status, want := range map[int]string{
		0: lost, http.StatusBadGateway: lost, http.StatusTooManyRequests: "unsent   501\n", http.StatusForbidden: "unsent   501\n",
	} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			m, w := newMarket(t)
			m.placeMany("A", 501)
			m.intercept = func(w http.ResponseWriter, _ []sellerapi.BatchShipmentEntry) bool {
				if status == 0 {
					panic(http.ErrAbortHandler)
				}
				w.Header().Set("Retry-After", "3600") // longer than the client waits
				w.WriteHeader(status)
				return true
			}
			code := cli.ExitUnanswered
			if status == http.StatusForbidden {
				code = cli.ExitFailed
			}
			file := inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+parcels(501))
			said := w.runs(code, "ship", file)
			require.Contains(t, said, want)
			require.NotContains(t, said, "row 3")
			rows := outcomes(t, file)
			if want == lost {
				require.Equal(t, []string{"unknown", "no answer: send the file again"}, rows["501"][5:])
			}
			require.Equal(t, []string{"unsent", ""}, rows["502"][5:])
		})
	}
}

// A parcel of which the answer tells nothing is not shipped.
func TestShip_answerIncomplete(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 1)
	m.intercept = func(w http.ResponseWriter, _ []sellerapi.BatchShipmentEntry) bool {
		_, _ = io.WriteString(w, `{"meta": {"code": 200, "message": "OK"}, "data": {"succeeded": [], "failed": [], "summary": {}}}`)
		return true
	}
	require.Contains(t, w.runs(cli.ExitPartly, "ship", inFile(t, "a.csv", "order_no,tracking_no,carrier\n"+parcels(1))),
		"unknown  1")
}

// A dry run says what the server decides, which the program cannot foresee: a refusal, a new warning. An old installation has no
// check; then it says what the program knows. Nothing is shipped, and a failure is not taken for an answer.
func TestShip_dryRunAsksServer(t *testing.T) {
	t.Parallel()
	m, w := newMarket(t)
	m.placeMany("A", 3)
	m.doubtful = []string{"412345678902"}
	file := inFile(t, "a.csv", "order_no,tracking_no,carrier\nA1,412345678901,한진\nA2,412345678902,한진\n")
	said := w.runs(cli.ExitPartly, "ship", file, "--dry-run")
	require.Contains(t, said, "row 3  A2  ready  warning: TRACKING_NO_SUSPICIOUS: a new rule")
	require.Contains(t, said, "ready    2\n")
	m.intercept = func(w http.ResponseWriter, batch []sellerapi.BatchShipmentEntry) bool {
		data, _ := json.Marshal(sellerapi.BatchShipmentResult{
			Succeeded: batch[0].ItemIDs,
			Failed:    []sellerapi.FailedEntry{{OrderNo: "A2", Index: 1, ErrorCode: "ORDER_ITEM_NEW", Message: "a new rule"}},
		})
		answer(string(data))(w, nil)
		return true
	}
	said = w.runs(cli.ExitPartly, "ship", file, "--dry-run")
	require.Contains(t, said, "row 3  A2  refused  ORDER_ITEM_NEW: a new rule")
	require.Equal(t, "ready", resultsIn(t, file+".check.csv", "check")["2"][5])
	m.intercept = func(w http.ResponseWriter, _ []sellerapi.BatchShipmentEntry) bool {
		refuse(403, "SCOPE_FORBIDDEN")(w, nil)
		return true
	}
	require.Contains(t, w.runs(cli.ExitKey, "ship", file, "--dry-run"), "SCOPE_FORBIDDEN")
	m.old = true
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--dry-run"), "ready    2\n")
	require.Equal(t, 4, m.calls["check"])
	require.Zero(t, m.calls["ship"])
	require.Empty(t, m.parcels())
}
