package cli_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/cli"
)

func (s *sheetOf) check(t *testing.T, m *market, code int, file string) (shipped int, refused bool) {
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
		return 0, true
	}
	for _, row := range s.rows {
		require.Contains(t, rows, row.line, "row %d has no report", row.line)
		if s.clean && s.agreed(row) {
			require.Equal(t, "shipped", rows[row.line], "row %d is as it should be", row.line)
		}
		if rows[row.line] == "shipped" {
			require.True(t, row.clean, "row %d is not what was meant", row.line)
			require.Equal(t, row.carrier+" "+row.number, sent[s.anyItem(row, sent)], "row %d", row.line)
			shipped++
		}
	}
	require.Equal(t, shipped == len(rows), code == cli.ExitDone, "nothing but full success is success")
	return shipped, false
}

func (s *sheetOf) checkParcel(t *testing.T, code, parcel string) {
	t.Helper()
	order, named, rows := code[:strings.LastIndex(code, "-")], []string{}, []string{}
	for _, row := range s.rows {
		if row.order == order {
			rows = append(rows, row.carrier+" "+row.number)
		}
		if row.item == code {
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

func (s *sheetOf) agreed(row *truth) bool {
	for _, other := range s.rows {
		if other.order == row.order && (!other.clean || other.number != row.number && (row.item == "" || other.item == "")) {
			return false
		}
	}
	for i, other := range s.rows { // the row after it may belong to it
		if other.order == row.order && i+1 < len(s.rows) && s.rows[i+1].cells[0] == "" {
			return false
		}
	}
	return true
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
	text, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".result.csv")
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

func TestShip_generatedSheets(t *testing.T) {
	t.Parallel()
	t.Logf("%d files from seed %d", *sheetFiles, *sheetSeed)
	shipped, whole, rows := 0, 0, 0
	for i := range *sheetFiles {
		seed := *sheetSeed + uint64(i)
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			m, w := newMarket(t)
			defer m.Close()
			s := newSheet(seed, m)
			file := s.write(t)
			w.world.Out, w.world.Err = &w.out, &w.err
			code := cli.Run(t.Context(), []string{"ship", file}, w.world)
			defer func() {
				if t.Failed() {
					text, _ := os.ReadFile(file)
					t.Logf("%s\n%.2000q\n%s%s", s.habit, text, &w.out, &w.err)
				}
			}()
			sent, refused := s.check(t, m, code, file)
			shipped, rows = shipped+sent, rows+len(s.rows)
			if refused {
				whole++
			}
		})
	}
	t.Logf("%d rows, %d shipped, %d files refused as a whole", rows, shipped, whole)
	require.Greater(t, shipped, rows/3, "most rows are sent")
	require.Positive(t, whole)
}
