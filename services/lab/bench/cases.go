package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"time"

	"sellerapi.dev/services/lab/wire"
)

type request struct {
	seller *seller
	target string
	rows   int
}

// benchCase is a kind of read. The requests of a case differ in the seller and in what the
// seller asks for.
type benchCase struct {
	name string
	of   func(*world) []*seller
	draw func(b *benchmark, w *world, s *seller) url.URL
	// single says that the answer is one record, short that it may be any page; the answers of the other cases are full pages.
	single, short bool
	// polled says that ERPs poll it, so that it has to be as cheap as the plain page.
	polled bool
}

func panel(w *world) []*seller     { return w.panel }
func claimants(w *world) []*seller { return w.claimants }

const day = 24 * time.Hour

var cases = []benchCase{
	{name: "orders, first page", of: panel, draw: firstPage("orders")},
	{name: "orders, a page within", of: panel, draw: func(_ *benchmark, w *world, s *seller) url.URL {
		return list("orders", w.page, url.Values{"cursor": {s.walk.cursors[w.random.IntN(len(s.walk.cursors))]}})
	}},
	{name: "orders, last page", of: panel, draw: func(_ *benchmark, w *world, s *seller) url.URL {
		return list("orders", w.page, url.Values{"cursor": {s.walk.cursors[len(s.walk.cursors)-1]}})
	}},
	{name: "orders, oldest page", of: panel, draw: func(_ *benchmark, w *world, s *seller) url.URL {
		return list("orders", w.page, url.Values{"updated_at_lte": {s.walk.oldest()}})
	}},
	{name: "orders, order_status", of: panel, draw: orders(func(_ *benchmark, random *rand.Rand) url.Values {
		return url.Values{"order_status": {anyOf(random, "paid", "preparing", "shipping", "delivered", "confirmed")}}
	})},
	{name: "orders, item_status", of: panel, draw: orders(func(_ *benchmark, random *rand.Rand) url.Values {
		return url.Values{"item_status": {anyOf(random, "paid", "preparing", "shipping", "delivered", "confirmed", "canceled")}}
	})},
	{name: "orders, item_status=paid", of: panel, short: true, polled: true, draw: orders(
		func(*benchmark, *rand.Rand) url.Values { return url.Values{"item_status": {"paid"}} })},
	{name: "orders, paid_at range", of: panel, polled: true, draw: orders(span("paid_at"))},
	{name: "orders, updated_at range", of: panel, draw: changedWithin},
	{name: "orders, status_changed", of: panel, polled: true, draw: orders(changedTo(span("status_changed_at")))},
	{name: "orders, paid_at, ten minutes", of: panel, short: true, polled: true, draw: orders(lately("paid_at"))},
	{name: "orders, status_changed, ten minutes", of: panel, short: true, polled: true, draw: orders(
		changedTo(lately("status_changed_at")))},
	{name: "orders, forwards", of: panel, polled: true, draw: orders(func(b *benchmark, random *rand.Rand) url.Values {
		return url.Values{"after": {span("paid_at")(b, random).Get("paid_at_gte")}}
	})},
	{name: "order detail", of: panel, single: true, draw: func(_ *benchmark, w *world, s *seller) url.URL {
		return url.URL{Path: "/open/v1/orders/" + s.walk.numbers[w.random.IntN(len(s.walk.numbers))]}
	}},
	{name: "claims page", of: claimants, draw: firstPage("claims")},
	{name: "claim detail", of: claimants, single: true, draw: func(b *benchmark, w *world, s *seller) url.URL {
		numbers := b.claims[s]
		return url.URL{Path: "/open/v1/claims/" + numbers[w.random.IntN(len(numbers))]}
	}},
	{name: "inquiries page", of: claimants, draw: firstPage("qna")},
}

func list(of string, rows int, parameters url.Values) url.URL {
	all := url.Values{"limit": {strconv.Itoa(rows)}}
	for name, values := range parameters {
		all[name] = values
	}
	return url.URL{Path: "/open/v1/" + of, RawQuery: all.Encode()}
}

func firstPage(of string) func(*benchmark, *world, *seller) url.URL {
	return func(_ *benchmark, w *world, _ *seller) url.URL { return list(of, w.page, nil) }
}

// orders returns a function that draws pages of orders with parameters that do not depend on
// the seller.
func orders(parameters func(*benchmark, *rand.Rand) url.Values) func(*benchmark, *world, *seller) url.URL {
	return func(b *benchmark, w *world, _ *seller) url.URL {
		return list("orders", w.page, parameters(b, w.random))
	}
}

// span draws a range of times in days, which ends at most two months ago.
func span(parameter string) func(*benchmark, *rand.Rand) url.Values {
	return func(b *benchmark, random *rand.Rand) url.Values {
		until := time.Duration(random.Float64() * float64(60*day))
		return url.Values{
			parameter + "_gte": {ago(b.base, until+time.Duration((1+29*random.Float64())*float64(day)))},
			parameter + "_lte": {ago(b.base, until)},
		}
	}
}

// lately returns the range of the last ten minutes before the newest order, which is what an ERP polls.
func lately(parameter string) func(*benchmark, *rand.Rand) url.Values {
	return func(b *benchmark, _ *rand.Rand) url.Values {
		return url.Values{parameter + "_gte": {ago(b.base, 10*time.Minute)}}
	}
}

func changedTo(within func(*benchmark, *rand.Rand) url.Values) func(*benchmark, *rand.Rand) url.Values {
	return func(b *benchmark, random *rand.Rand) url.Values {
		values := within(b, random)
		values.Set("status_changed_to", anyOf(random, "paid", "preparing", "shipping", "delivered", "confirmed"))
		return values
	}
}

func changedWithin(_ *benchmark, w *world, _ *seller) url.URL {
	from := 0.7 * w.random.Float64()
	return list("orders", w.page, url.Values{"updated_at_gte": {w.during(from)}, "updated_at_lte": {w.during(from + 0.3)}})
}

func anyOf(random *rand.Rand, values ...string) string { return values[random.IntN(len(values))] }

// requests draws up to wanted different requests of a case, each of a full page unless the case says otherwise.
func (b *benchmark) requests(ctx context.Context, w *world, c benchCase, wanted int) ([]request, error) {
	var found []request
	sellers := c.of(w)
	for range wanted * drawsEach {
		if len(found) == wanted {
			break
		}
		one := sellers[w.random.IntN(len(sellers))]
		target := c.draw(b, w, one)
		rows := 1
		if !c.single {
			got, err := w.read(ctx, one, target.String())
			if err != nil {
				return nil, err
			}
			rows = len(got.List)
		}
		if c.single || c.short || rows == b.Page {
			found = append(found, request{one, target.String(), rows})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: no seller has a full page", c.name)
	}
	return found, nil
}

func wired(requests []request) [][]byte {
	all := make([][]byte, len(requests))
	for i, one := range requests {
		all[i] = wire.Get(one.target, one.seller.key)
	}
	return all
}

// chosen returns the cases to measure; all of them when none is named.
func (o Options) chosen() []benchCase {
	return slices.DeleteFunc(slices.Clone(cases), func(c benchCase) bool {
		return len(o.Cases) > 0 &&
			!slices.Contains(o.Cases, c.name)
	})
}

// findClaims records the numbers of the claimants' claims. Sellers without claims are removed
// from the claimants.
func (b *benchmark) findClaims(ctx context.Context, w *world) error {
	for _, one := range w.claimants {
		target := list("claims", w.page, nil)
		got, err := w.read(ctx, one, target.String())
		if err != nil {
			return err
		}
		for _, claim := range got.List {
			b.claims[one] = append(b.claims[one], claim.ClaimNo)
		}
	}
	w.claimants = slices.DeleteFunc(w.claimants, func(s *seller) bool { return len(b.claims[s]) == 0 })
	return nil
}
