package cli_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
)

// check holds what was sent and reported against what is meant.
func (s *sheetOf) check(t *testing.T, m *market, code int, file string) {
	t.Helper()
	sent := m.parcels()
	for code, parcel := range sent {
		s.checkParcel(t, code, parcel)
	}
	rows, read := reported(t, file)
	if !read {
		require.Equal(t, cli.ExitFailed, code)
		require.Empty(t, sent)
		require.False(t, s.clean && !strings.Contains(s.habit, "cp949"),
			"what is well written is read, unless the encoding is not certain")
		s.refused = true
		return
	}
	for _, row := range s.rows {
		require.Contains(t, rows, row.line, "row %d has no report", row.line)
		if s.clean && s.agreed(row) {
			require.Equal(t, "shipped", rows[row.line], "row %d is as it should be", row.line)
		}
		if rows[row.line] == "shipped" {
			require.True(t, row.clean || !s.clean, "row %d is not what was meant", row.line)
			require.True(t, row.cells[2] != "" || !s.named(row), "row %d is the whole of an order whose items have rows", row.line)
			require.Equal(t, row.carrier+" "+row.number, sent[s.anyItem(row, sent)], "row %d", row.line)
			s.shipped++
		}
	}
	require.Equal(t, s.shipped == len(rows), code == cli.ExitDone, "nothing but full success is success")
}

// checkParcel holds the parcel of an item against the rows that name it, or else against all rows of its order.
func (s *sheetOf) checkParcel(t *testing.T, code, parcel string) {
	t.Helper()
	order, seen, named, rows := code[:strings.LastIndex(code, "-")], "", []string{}, []string{}
	for _, row := range s.rows {
		if row.cells[0] != "" { // a row without a number belongs to the order of the row before, as with merged cells
			seen = strings.Trim(row.cells[0], `="'`)
		}
		if seen == order {
			rows = append(rows, row.carrier+" "+row.number)
		}
		if row.cells[2] == code {
			named = append(named, row.carrier+" "+row.number)
		}
	}
	if len(named) > 0 {
		rows = named
	}
	require.NotEmpty(t, rows, "%s was in no row", code)
	for _, meant := range rows {
		require.Equal(t, meant, parcel, code)
	}
}

// agreed reports whether all rows of an order are clean, and of one parcel unless they name their items.
func (s *sheetOf) agreed(row *truth) bool {
	for _, other := range s.rows {
		if other.order == row.order && (!other.clean || (row.item == "") != (other.item == "") ||
			other.number != row.number && row.item == "") {
			return false
		}
	}
	for i, other := range s.rows { // the row after it may belong to it
		if other.order != row.order {
			continue
		}
		if i+1 < len(s.rows) && s.rows[i+1].cells[0] != s.rows[i+1].order {
			return false
		}
	}
	return true
}

func (s *sheetOf) named(row *truth) bool {
	return slices.ContainsFunc(s.rows, func(other *truth) bool { return other.cells[0] == row.cells[0] && other.cells[2] != "" })
}

func (s *sheetOf) anyItem(row *truth, sent map[string]string) string {
	for code := range sent {
		if code == row.item || row.item == "" && code[:strings.LastIndex(code, "-")] == row.order {
			return code
		}
	}
	return ""
}

func reported(t *testing.T, file string) (map[int]string, bool) {
	t.Helper()
	text, err := os.ReadFile(file + ".result.csv")
	if os.IsNotExist(err) {
		return nil, false
	}
	require.NoError(t, err)
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\uFEFF"))).ReadAll()
	require.NoError(t, err)
	rows := map[int]string{}
	for _, line := range lines[1:] {
		number, err := strconv.Atoi(line[0])
		require.NoError(t, err)
		require.NotContains(t, rows, number)
		rows[number] = line[5]
	}
	return rows, true
}

// Whatever a spreadsheet contains, no parcel goes out that a person would not have sent from it: none with another row's number,
// none with a number that differs from the cell's digits, and every row has a report. -sheets says how many files are made, -seed
// where they begin.
func TestShip_generatedSheets(t *testing.T) {
	t.Parallel()
	t.Logf("%d files from seed %d", *sheetFiles, *sheetSeed)
	var shipped, refused, rows atomic.Int64
	for i := range *sheetFiles {
		seed := *sheetSeed + uint64(i)
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			s := checkSheet(t, seed)
			rows.Add(int64(len(s.rows)))
			shipped.Add(int64(s.shipped))
			if s.refused {
				refused.Add(1)
			}
		})
	}
	t.Cleanup(func() {
		t.Logf("%d rows, %d shipped, %d files refused as a whole", rows.Load(), shipped.Load(), refused.Load())
		if *sheetFiles >= 100 {
			require.Greater(t, shipped.Load(), rows.Load()/3, "a program that refuses everything is no use")
		}
	})
}

func checkSheet(t *testing.T, seed uint64) *sheetOf {
	t.Helper()
	m, w := newMarket(t)
	s := newSheet(seed, m)
	file := s.write(t)
	w.world.Out, w.world.Err = &w.out, &w.err
	code := cli.Run(t.Context(), []string{"ship", file}, w.world)
	t.Cleanup(func() {
		if t.Failed() {
			text, _ := os.ReadFile(file)
			t.Logf("%s\n%.2000q\n%s%s", s.habit, text, &w.out, &w.err)
		}
	})
	s.check(t, m, code, file)
	return s
}
