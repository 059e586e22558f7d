package bench

import (
	"context"
	"net/url"
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

// pages are the cases: their names, and what is asked beside the page size. {oldest} and {hour ago} stand
// for times that depend on the data.
var pages = []struct {
	name  string
	query map[string]string
}{
	{"first page", nil},
	{"oldest page", map[string]string{"updated_at_lte": "{oldest}"}},
	{"item_status, rare", map[string]string{"item_status": "exchanged"}},
	{"item_status, frequent", map[string]string{"item_status": "confirmed"}},
	{"status_changed, last hour", map[string]string{"status_changed_to": "shipping", "status_changed_at_gte": "{hour ago}"}},
	{"status_changed, ever", map[string]string{"status_changed_to": "shipping", "status_changed_at_gte": "2020-01-01T00:00:00Z"}},
}

func caseNames() []string {
	names := make([]string, len(pages))
	for i, page := range pages {
		names[i] = page.name
	}
	return names
}

// cases are the pages for the seller's data as they are now.
func cases(ctx context.Context, conn *pgx.Conn, sellerID string) ([]benchCase, error) {
	oldest, err := oldestPage(ctx, conn, sellerID)
	if err != nil {
		return nil, err
	}
	times := map[string]string{"{oldest}": oldest, "{hour ago}": time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)}
	all := make([]benchCase, len(pages))
	for i, page := range pages {
		all[i] = benchCase{page.name, url.Values{"limit": {"50"}}}
		for name, value := range page.query {
			if at, isTime := times[value]; isTime {
				value = at
			}
			all[i].query.Set(name, value)
		}
	}
	return all, nil
}

// oldestPage is the time from which on downwards the seller has a little more than a page of orders left.
func oldestPage(ctx context.Context, conn *pgx.Conn, sellerID string) (string, error) {
	var oldest time.Time
	err := conn.QueryRow(ctx, `select updated_at from orders.seller_orders
		where seller_id = $1 and paid_at is not null order by updated_at, order_id offset 60 limit 1`, sellerID).Scan(&oldest)
	return oldest.UTC().Format(time.RFC3339Nano), err
}
