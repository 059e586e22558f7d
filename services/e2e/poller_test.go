package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// copyOf is a client's own store: orders by number, overwritten by later versions.
type copyOf map[string]stacktest.Order

func (c copyOf) upsert(orders []stacktest.Order) {
	for _, order := range orders {
		c[order.OrderNo] = order
	}
}

// A stricter case: no overlap at all. It works because updated_at has the order of the commits.
func TestPoller_strictMissesNothing(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	client, mine, newest := s.Client(seller.ID), copyOf{}, "1970-01-01T00:00:00Z"
	writing := startWriters(t, s, seller.ID, 8, 60)
	writing.whileWriting(func() {
		page := client.Walk(t, "100", "updated_at_gte", newest)
		mine.upsert(page)
		if len(page) > 0 {
			newest = max(newest, page[0].UpdatedAt)
		}
	})
	requireComplete(t, mine, writing.wait(t), client.Walk(t, "100"))
}

func requireComplete(t *testing.T, mine copyOf, written []string, all []stacktest.Order) {
	t.Helper()
	require.ElementsMatch(t, written, orderNos(all))
	require.Len(t, mine, len(all))
	for _, order := range all {
		require.Equal(t, order, mine[order.OrderNo])
	}
}

// carryClaims requests n returns and takes each through some of its steps, all concurrently.
func carryClaims(t *testing.T, d *session, n int) *writers {
	t.Helper()
	order := d.PlaceNew(t, d.seller.ID, lines(n), stacktest.Claimable(stacktest.Return))
	w := &writers{done: make(chan struct{}), placed: make([][]string, n)}
	var group errgroup.Group
	for i, line := range order.GetSellers()[0].GetLines() {
		request := stacktest.NewClaim(stacktest.Return, order, stacktest.OnlyLines(line.GetItemId()))
		w.placed[i] = []string{request.GetClaimNo()}
		group.Go(func() error { return carryClaim(t, d, request, 1+i%4) })
	}
	go func() { w.err = group.Wait(); close(w.done) }()
	return w
}

func carryClaim(t *testing.T, d *session, request *claimsv1.RequestClaimRequest, steps int) error {
	t.Helper()
	_, err := stacktest.Try(t, d.Claims.RequestClaim, request)
	for _, step := range claimSteps[:steps] {
		if err == nil {
			_, err = stacktest.Try(t, d.Claims.ActAsOperator, &claimsv1.ActAsOperatorRequest{
				ClaimNo: request.GetClaimNo(), Action: step.action, Operator: "운영자", Result: "pass",
				CarrierName: "한진택배", TrackingNo: collectNo,
			})
		}
	}
	return err
}

// A client that polls for changes since the newest updated_at that it has seen, without any overlap, ends up with
// exactly what the service has: updated_at has the order of the commits.
func TestPoller_strictOverClaimsMissesNothing(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	mine, newest := map[string]stacktest.Claim{}, "1970-01-01T00:00:00Z"
	poll := func() {
		for _, claim := range d.walkClaims(t, "3", nil, "updated_at_gte", newest) {
			mine[claim.ClaimNo] = claim
			newest = max(newest, claim.UpdatedAt)
		}
	}
	writing := carryClaims(t, d, 8)
	writing.whileWriting(poll)
	want := map[string]stacktest.Claim{}
	for _, no := range writing.wait(t) {
		if want[no] = d.client.Claim(t, no); want[no].Status == "refund_processing" {
			want[no] = d.client.AwaitClaim(t, no, "completed")
		}
	}
	poll()
	require.Equal(t, want, mine)
}
