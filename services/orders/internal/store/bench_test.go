package store

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/orders/internal/order"
)

// BenchmarkList reads pages of 50 from schemas of different sizes, for the comparison of their times: they should not
// depend on the size. BENCH_ORDERS lists other sizes, separated by commas.
//
//	go test ./internal/store -run '^$' -bench List -benchtime 300x
func BenchmarkList(b *testing.B) {
	sizes := os.Getenv("BENCH_ORDERS")
	if sizes == "" {
		sizes = "1000,30000"
	}
	for _, text := range strings.Split(sizes, ",") {
		size, err := strconv.Atoi(text)
		require.NoError(b, err)
		f := fill(b, size)
		s := New(f.walled, order.DefaultTerms())
		ago := func(days float64) *time.Time { return ptr(f.now.Add(-time.Duration(days * float64(24*time.Hour)))) }
		late := &paging.Position{UpdatedAt: *ago(600), ID: uuid.UUID{15: 1}}
		for _, c := range []struct {
			name   string
			filter order.Filter
			after  *paging.Position
		}{
			{name: "first page"},
			{name: "late page", after: late},
			{name: "status of most", filter: order.Filter{Status: order.StatusConfirmed}},
			{name: "items of most", filter: order.Filter{ItemState: order.Confirmed}},
			{name: "items of few", filter: order.Filter{ItemState: order.Returned}},
			{name: "number", filter: order.Filter{No: "F-9"}},
			{name: "paid in a month long ago", filter: order.Filter{Paid: order.Range{From: ago(430), Until: ago(400)}}},
			{name: "paid until long ago", filter: order.Filter{Paid: order.Range{Until: ago(400)}}},
			{name: "changed, most", filter: changed(order.Delivered, ago(1000), nil)},
			{name: "changed, most, late page", filter: changed(order.Delivered, ago(1000), nil), after: late},
			{name: "changed, rare and final", filter: changed(order.Returned, ago(1000), nil)},
			{name: "changed in minutes long ago", filter: changed(order.Delivered, ago(400.005), ago(400))},
			{name: "changed on a day long ago", filter: changed(order.Delivered, ago(401), ago(400))},
			{name: "changed in a year long ago", filter: changed(order.Delivered, ago(700), ago(400))},
		} {
			b.Run(strings.ReplaceAll(c.name, " ", "_")+"/"+text, func(b *testing.B) {
				for b.Loop() {
					_, err := s.List(b.Context(), f.seller, c.filter, c.after, 50)
					require.NoError(b, err)
				}
			})
		}
	}
}
