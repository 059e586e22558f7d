package postgres

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// The time of a commit is the disk's, and is measured separately from that of the statements sent with it.
func TestBatchName(t *testing.T) {
	t.Parallel()
	const some = "-- name: Some\nselect 1"
	begin, seller := "begin isolation level read committed", own.SQL("SetSeller")
	for name, test := range map[string]struct {
		sent []string
		want string
	}{
		"empty":                    {nil, "batch"},
		"statements":               {[]string{some, some}, "batch"},
		"after the seller setting": {[]string{seller, some}, "Some"},
		"begun":                    {[]string{begin, seller, some}, "Some"},
		"committed":                {[]string{some, "commit"}, "commit"},
		"whole transaction":        {[]string{begin, seller, some, "commit"}, "commit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			batch := &pgx.Batch{}
			for _, sql := range test.sent {
				batch.Queue(sql)
			}
			require.Equal(t, test.want, batchName(batch))
		})
	}
}
