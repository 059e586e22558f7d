package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/korean"

	"sellerapi.dev/proto/clients/cli"
)

// A sheet as a carrier's program writes it: with a title, Korean names, and in EUC-KR.
const sheet = "출고 목록,,,\r\n송장번호,주문번호,상품주문번호,택배사\r\n6123-4567-8904,A-1,A-1-01,CJ 대한통운\r\n" +
	"222,B-1," + itemB + ",한진\r\n333,C-1,,우체국\r\n,,,\r\n"

// TestShip_everyFormOfFile ships the same rows from each file format.
func TestShip_everyFormOfFile(t *testing.T) {
	t.Parallel()
	for form, write := range map[string]func(t *testing.T, path string){
		"utf8.csv": func(t *testing.T, path string) { t.Helper(); requireWritten(t, path, "\uFEFF"+sheet) },
		"tabs.csv": func(t *testing.T, path string) {
			t.Helper()
			requireWritten(t, path, strings.ReplaceAll(sheet, ",", "\t"))
		},
		"euckr.csv": writeEUCKR,
		"book.xlsx": writeBook,
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			s, w := working(t)
			file := filepath.Join(t.TempDir(), form)
			write(t, file)
			said := w.runs(cli.ExitPartly, "ship", file)
			require.Contains(t, said, "row 4  B-1  refused  ORDER_ITEM_HAS_ACTIVE_CLAIM: a text")
			require.Contains(t, said, "row 5  C-1  refused  no such order")
			require.Equal(t, []map[string]any{{"items": []any{
				entry("A-1", "01000000-0000-7000-8000-000000000001", "CJ대한통운", "6123-4567-8904"), entry("B-1", itemB, "한진택배", "222"),
			}}}, s.batches)
			result, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".result.csv")
			require.NoError(t, err)
			require.Contains(t, string(result), "3,A-1,01000000-0000-7000-8000-000000000001,CJ대한통운,6123-4567-8904,shipped,\n")
		})
	}
}

func entry(order, id, carrier, number string) map[string]any {
	return map[string]any{"order_no": order, "item_ids": []any{id}, "carrier_name": carrier, "tracking_no": number}
}

func requireWritten(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func writeEUCKR(t *testing.T, path string) {
	t.Helper()
	text, err := korean.EUCKR.NewEncoder().String(sheet)
	require.NoError(t, err)
	requireWritten(t, path, text)
}

func writeBook(t *testing.T, path string) {
	t.Helper()
	book := excelize.NewFile()
	for i, line := range strings.Split(strings.TrimSpace(sheet), "\r\n") {
		cells := strings.Split(line, ",")
		require.NoError(t, book.SetSheetRow("Sheet1", "A"+string(rune('1'+i)), &cells))
	}
	require.NoError(t, book.SaveAs(path))
	require.NoError(t, book.Close())
}

func TestShip_dryRunSendsNothing(t *testing.T) {
	t.Parallel()
	s, w := working(t)
	file := filepath.Join(t.TempDir(), "today.csv")
	requireWritten(t, file, "order_no,tracking_no\nA-1,111\nA-1,1-1-1\n")
	require.Contains(t, w.runs(cli.ExitFailed, "ship", file, "--dry-run"), "row 2 names no carrier")
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--dry-run", "--carrier", "cj"), "ready    2")
	require.Empty(t, s.batches)
	require.Contains(t, w.runs(cli.ExitDone, "ship", file, "--carrier", "cj"), "shipped  2")
	require.Len(t, s.batches[0]["items"], 1, "rows of one parcel go out together")
	requireWritten(t, file, "order_no,tracking_no\nA-1,1\nA-1,2\n")
	require.Contains(t, w.runs(cli.ExitPartly, "ship", file, "--carrier", "cj"), "several numbers for one order")
	requireWritten(t, file, "a,b\n1,2\n")
	require.Contains(t, w.runs(cli.ExitFailed, "ship", file), "no row names the columns")
}

// Each row reports the outcome of its own parcel: of two that name one item, the first may be shipped and the second refused.
func TestShip_sameItemTwice(t *testing.T) {
	t.Parallel()
	s, w := working(t)
	file := filepath.Join(t.TempDir(), "today.csv")
	requireWritten(t, file, "order_no,item_id,tracking_no,carrier\nA-1,A-1-01,1,cj\nA-1,A-1-01,2,cj\nA-1,A-1-01,1,cj\nA-1,A-1-02,111,cj\n")
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 3  A-1  refused  SHIPMENT_STATE_CONFLICT: a text\nshipped  3\nrefused  1\n")
	require.Len(t, s.batches[0]["items"], 3)
	result, err := os.ReadFile(strings.TrimSuffix(file, ".csv") + ".result.csv")
	require.NoError(t, err)
	require.Contains(t, string(result), "\n2,A-1,01000000-0000-7000-8000-000000000001,CJ대한통운,1,shipped,\n")
}

// A row without an item would take the items of the rows that name them into the wrong parcel.
func TestShip_itemsBesideWholeOrder(t *testing.T) {
	t.Parallel()
	s, w := working(t)
	file := filepath.Join(t.TempDir(), "today.csv")
	requireWritten(t, file, "order_no,item_id,tracking_no,carrier\nA-1,,2,cj\nA-1,A-1-01,1,cj\n")
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 2  A-1  refused  several numbers for one order")
	require.Equal(t, []map[string]any{{"items": []any{entry("A-1", "01000000-0000-7000-8000-000000000001", "CJ대한통운", "1")}}}, s.batches)
}

// The replacement of an exchange goes out with reship of its claim, or the exchange does not end: a row takes it neither with the
// rest of an order nor if it names it. One that has gone out with the row's number counts as done, as every line does.
func TestShip_replacementsAreLeftToReship(t *testing.T) {
	t.Parallel()
	s, w := working(t)
	file := filepath.Join(t.TempDir(), "today.csv")
	requireWritten(t, file, "order_no,tracking_no,carrier\nX-1,222,cj\nX-2,111,cj\nX-3,333,cj\n")
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 3  X-2  refused  the replacement of an exchange goes out with reship of the claim CLM-1\nshipped  2\nrefused  1\n")
	require.Equal(t, []map[string]any{{"items": []any{
		entry("X-1", itemX3, "CJ대한통운", "222"), entry("X-3", itemX2, "CJ대한통운", "333"),
	}}}, s.batches)

	s.batches = nil
	requireWritten(t, file, "order_no,tracking_no,carrier,item_id\nX-1,1,cj,X-1-02\nX-1,2,cj,"+itemX2+"\nX-1,3,cj,"+itemX3+"\n")
	said = w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 2  X-1  refused  the replacement of an exchange goes out with reship of the claim CLM-1\n")
	require.Contains(t, said, "row 3  X-1  refused  the replacement of an exchange goes out with reship of the claim CLM-1\n")
	require.Equal(t, []map[string]any{{"items": []any{entry("X-1", itemX3, "CJ대한통운", "3")}}}, s.batches)
}

// A line that has ended keeps its number: sent again with the rest of its parcel, it would have the whole parcel refused.
func TestShip_linesThatHaveEnded(t *testing.T) {
	t.Parallel()
	s, w := working(t)
	file := filepath.Join(t.TempDir(), "today.csv")
	requireWritten(t, file, "order_no,tracking_no,carrier\nE-1,111,cj\nE-2,111,cj\n")
	said := w.runs(cli.ExitPartly, "ship", file)
	require.Contains(t, said, "row 3  E-2  refused  what went out with this number has ended: returned\nshipped  1\nrefused  1\n")
	require.Equal(t, []map[string]any{{"items": []any{entry("E-1", itemX3, "CJ대한통운", "111")}}}, s.batches)
}

// The parcels of a batch whose response is lost may have been registered, unlike those of the batches after it. The batch that the
// server refuses to take at the first attempt is not.
func TestShip_responseLost(t *testing.T) {
	t.Parallel()
	const lost = "unknown  500  no answer: send the file again\nunsent   1\n"
	for status, want := range map[int]string{
		0: lost, http.StatusBadGateway: lost, http.StatusTooManyRequests: "unsent   501\n", http.StatusForbidden: "unsent   501\n",
	} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			s, w := working(t)
			s.batchStatus = &status
			file := filepath.Join(t.TempDir(), "today.csv")
			requireWritten(t, file, "order_no,item_id,tracking_no,carrier\n"+parcels(501))
			code := cli.ExitUnanswered
			if status == http.StatusForbidden {
				code = cli.ExitFailed
			}
			said := w.runs(code, "ship", file)
			require.Contains(t, said, want)
			require.NotContains(t, said, "row 3")
			result, err := os.ReadFile(strings.TrimSuffix(file, ".csv") + ".result.csv")
			require.NoError(t, err)
			if want == lost {
				require.Contains(t, string(result), ",CJ대한통운,P500,unknown,no answer: send the file again\n")
			}
			require.Contains(t, string(result), ",CJ대한통운,P501,unsent,\n")
		})
	}
}

// parcels returns the rows of so many parcels, numbered from P1.
func parcels(count int) string {
	var rows strings.Builder
	for i := range count {
		fmt.Fprintf(&rows, "A-1,04000000-0000-7000-8000-%012d,P%d,cj\n", i, i+1)
	}
	return rows.String()
}
