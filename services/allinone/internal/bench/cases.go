package bench

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// benchCase is one page that is read.
type benchCase struct {
	name  string
	query url.Values
}

// path is the case's request target.
func (c benchCase) path() string { return "/open/v1/orders?" + c.query.Encode() }

// pages are the cases: their names, and what is asked beside the page size. A word in braces stands for what
// depends on the data; see [world.given].
var pages = []struct {
	name  string
	query map[string]string
}{
	{"first page", nil},
	{"last page of a walk", map[string]string{"cursor": "{last}"}},
	{"oldest page", map[string]string{"updated_at_lte": "{oldest}"}},
	{"item_status, rare", map[string]string{"item_status": "exchanged"}},
	{"item_status, frequent", map[string]string{"item_status": "confirmed"}},
	{"status_changed, last hour", map[string]string{"status_changed_to": "shipping", "status_changed_at_gte": "{hour ago}"}},
	{"status_changed, ever", map[string]string{"status_changed_to": "shipping", "status_changed_at_gte": "2020-01-01T00:00:00Z"}},
	{"status_changed, an hour long past", map[string]string{
		"status_changed_to": "shipping", "status_changed_at_gte": "{20 days ago}", "status_changed_at_lte": "{20 days ago, an hour later}",
	}},
	{"status_changed, weeks long past", map[string]string{
		"status_changed_to": "shipping", "status_changed_at_gte": "{90 days ago}", "status_changed_at_lte": "{20 days ago}",
	}},
}

func caseNames() []string {
	names := make([]string, len(pages))
	for i, page := range pages {
		names[i] = page.name
	}
	return names
}

// findCases are the pages for the seller's data as they are now.
func (w *world) findCases(ctx context.Context) ([]benchCase, error) {
	given, err := w.given(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]benchCase, len(pages))
	for i, page := range pages {
		all[i] = benchCase{page.name, url.Values{"limit": {strconv.Itoa(pageRows)}}}
		for name, value := range page.query {
			if found, depends := given[value]; depends {
				value = found
			}
			all[i].query.Set(name, value)
		}
	}
	return all, nil
}

// pageRows is how many orders a page has.
const pageRows = 50

// given are the values that depend on the data.
func (w *world) given(ctx context.Context) (map[string]string, error) {
	oldest, err := w.oldestPage(ctx)
	if err != nil {
		return nil, err
	}
	last, err := w.lastCursor(ctx)
	if err != nil {
		return nil, err
	}
	ago := func(d time.Duration) string { return time.Now().Add(-d).UTC().Format(time.RFC3339) }
	const day = 24 * time.Hour
	return map[string]string{
		"{last}": last, "{oldest}": oldest, "{hour ago}": ago(time.Hour), "{90 days ago}": ago(90 * day),
		"{20 days ago}": ago(20 * day), "{20 days ago, an hour later}": ago(20*day - time.Hour),
	}, nil
}

// oldestPage is the time from which on downwards the seller has a little more than a page of orders left.
func (w *world) oldestPage(ctx context.Context) (string, error) {
	var oldest time.Time
	err := query(ctx, w.databaseURL, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `select updated_at from orders.seller_orders
			where seller_id = $1 and paid_at is not null order by updated_at, order_id offset $2 limit 1`,
			w.env.SellerAID, pageRows).Scan(&oldest)
	})
	return oldest.UTC().Format(time.RFC3339Nano), err
}

// lastCursor walks through the whole list and returns the cursor behind which its last full page lies.
func (w *world) lastCursor(ctx context.Context) (string, error) {
	walk := benchCase{"walk", url.Values{"limit": {strconv.Itoa(pageRows)}}}
	before, cursor := "", ""
	for {
		page, err := w.read(ctx, walk)
		if err != nil {
			return "", err
		}
		if page.NextCursor == nil {
			return before, nil
		}
		before, cursor = cursor, *page.NextCursor
		walk.query.Set("cursor", cursor)
	}
}
