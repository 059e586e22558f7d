package store

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/orders/internal/order"
)

// BenchmarkList reads pages of 50 from schemas of different sizes, by every filter and every pair of filters, to compare their
// times, which should not depend on the size. BENCH_ORDERS lists other sizes, separated by commas.
//
//	go test ./internal/store -run '^$' -bench 'List/paid_since_2_days/' -benchtime 100x
func BenchmarkList(b *testing.B) { benchmarkSizes(b, fill, pairs) }

// benchmarkSizes reads pages by the filters from schemas of the sizes in BENCH_ORDERS.
func benchmarkSizes(b *testing.B, fill func(testing.TB, int) filled, filters func(filled, func(string, order.Filter))) {
	b.Helper()
	sizes := os.Getenv("BENCH_ORDERS")
	if sizes == "" {
		sizes = "1000,100000"
	}
	for _, text := range strings.Split(sizes, ",") {
		size, err := strconv.Atoi(text)
		require.NoError(b, err)
		f := fill(b, size)
		s := New(f.secured, order.DefaultTerms())
		run := func(name string, filter order.Filter, after *paging.Position) {
			b.Run(strings.ReplaceAll(name, " ", "_")+"/"+text, func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					_, err := s.List(b.Context(), f.seller, filter, after, 50)
					took = append(took, time.Since(start))
					require.NoError(b, err)
				}
				slices.Sort(took)
				b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
			})
		}
		late := &paging.Position{UpdatedAt: f.now.AddDate(0, 0, -600), ID: uuid.UUID{15: 1}}
		run("none", order.Filter{}, nil)
		run("late page", order.Filter{}, late)
		filters(f, func(name string, filter order.Filter) { run(name, filter, nil) })
	}
}
