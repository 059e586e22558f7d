package size

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
)

// day is the unit of growth.
const day = 24 * time.Hour

// countedPages is the largest number of pages whose records are counted instead of estimated.
const countedPages = 64

// Growth is the growth of a schema.
type Growth struct {
	RecordsPerDay float64 `json:"records_per_day"`
	// BytesPerDay is the growth of the whole schema, at its present size per record; nil if unknown.
	BytesPerDay *float64 `json:"bytes_per_day"`
	// Seconds is the period of the measurement, up to now.
	Seconds float64 `json:"measured_over_seconds"`
	// BasedOn states what was measured.
	BasedOn string `json:"based_on"`
}

// Capacity is the forecast of when the database will be full.
type Capacity struct {
	Bytes int64 `json:"bytes"`
	// DatabaseBytes is the size of all schemas in the database.
	DatabaseBytes int64 `json:"database_bytes"`
	// FullInDays and FullAt are nil if the growth is unknown, or the space lasts for more than a century.
	FullInDays *float64   `json:"full_in_days"`
	FullAt     *time.Time `json:"full_at"`
}

// grow computes the growth from the records written over a period.
func (r *Report) grow(written *written) {
	if written == nil {
		return
	}
	perDay := written.records * float64(day) / float64(written.over)
	r.Growth = &Growth{RecordsPerDay: perDay, Seconds: written.over.Seconds(), BasedOn: r.record.Table + " by " + r.record.Basis}
	if r.Record.BytesEach != nil {
		bytes := perDay * *r.Record.BytesEach
		r.Growth.BytesPerDay = &bytes
	}
}

// longest is the longest forecast, in days.
const longest = 100 * 365

// fill computes when the database reaches its capacity. It assumes that the rest of the database grows in proportion to this schema.
func (r *Report) fill(capacity, database int64, now time.Time) {
	if capacity <= 0 {
		return
	}
	r.Capacity = &Capacity{Bytes: capacity, DatabaseBytes: database}
	if r.Growth == nil || r.Growth.BytesPerDay == nil || *r.Growth.BytesPerDay <= 0 {
		return
	}
	whole := *r.Growth.BytesPerDay * float64(database) / float64(r.TotalBytes)
	days := max(float64(capacity-database)/whole, 0)
	if days > longest {
		return
	}
	at := now.Add(time.Duration(days * float64(day))).UTC().Truncate(time.Second)
	r.Capacity.FullInDays, r.Capacity.FullAt = &days, &at
}

// queries returns the statements on the record's table.
func (r Record) queries() postgres.Queries {
	return queries.With(map[string]string{"table": pgx.Identifier{r.Table}.Sanitize(), "time": r.Time})
}

// search finds the newest records of a table whose pages are in the order of time.
type search struct {
	tx      pgx.Tx
	queries postgres.Queries
	table   Table
}

// written is the number of records that were written in a period up to now.
type written struct {
	records float64
	over    time.Duration
}

// since counts the records since begin, or since the first record if that is later. It returns nil if there is no record.
func (s search) since(ctx context.Context, begin, now time.Time) (*written, error) {
	if s.table.pages == 0 {
		return nil, nil
	}
	first, err := s.firstPage(ctx, begin)
	if err != nil {
		return nil, err
	}
	if first == 0 { // no page is older
		oldest, err := s.oldest(ctx, 0, 1)
		if err != nil || oldest == nil || !oldest.Before(now) {
			return nil, err
		}
		begin = *oldest
	}
	// The page before may also have records that are newer than the begin.
	counted := max(first-1, 0)
	if s.table.pages-counted <= countedPages {
		records, err := s.count(ctx, counted, s.table.pages, begin)
		return &written{float64(records), now.Sub(begin)}, err
	}
	records, err := s.count(ctx, counted, first, begin)
	if err != nil || s.table.Rows == nil {
		return nil, err
	}
	density := float64(*s.table.Rows) / float64(s.table.pages)
	return &written{float64(records) + density*float64(s.table.pages-first), now.Sub(begin)}, nil
}

// firstPage returns the first page without a record from before begin. A page without records counts as new: the table was just
// extended by it.
func (s search) firstPage(ctx context.Context, begin time.Time) (int64, error) {
	low, high := int64(0), s.table.pages
	for low < high {
		middle := (low + high) / 2
		oldest, err := s.oldest(ctx, middle, middle+1)
		if err != nil {
			return 0, err
		}
		if oldest != nil && oldest.Before(begin) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, nil
}

// oldest returns when the oldest record on the pages from first up to end was written.
func (s search) oldest(ctx context.Context, first, end int64) (at *time.Time, err error) {
	err = s.tx.QueryRow(ctx, s.queries.SQL("OldestOfPages"), first, end).Scan(&at)
	return at, postgres.Wrap("OldestOfPages", err)
}

// count returns how many records on the pages from first up to end were written since begin.
func (s search) count(ctx context.Context, first, end int64, begin time.Time) (records int64, err error) {
	err = s.tx.QueryRow(ctx, s.queries.SQL("CountOnPages"), first, end, begin).Scan(&records)
	return records, postgres.Wrap("CountOnPages", err)
}
