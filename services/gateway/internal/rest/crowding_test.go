package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// crowding is a gateway whose service answers calls with a certain path element only when the test says so.
type crowding struct {
	*fixture
	arrived, answer chan struct{}
	calls           errgroup.Group
}

func crowded(t *testing.T, blocking string) *crowding {
	t.Helper()
	c := &crowding{arrived: make(chan struct{}, 100), answer: make(chan struct{})}
	c.fixture = before(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.String(), blocking) {
			c.arrived <- struct{}{}
			select {
			case <-c.answer:
			case <-t.Context().Done():
			}
		}
		rows(w, r)
	})
	return c
}

func (c *crowding) begin(t *testing.T, sent call) {
	t.Helper()
	c.calls.Go(func() error {
		got, err := c.try(t.Context(), sent)
		if err == nil && got.status != http.StatusOK {
			err = fmt.Errorf("%d: %s", got.status, got.body)
		}
		return err
	})
}

func (c *crowding) waits(t *testing.T, class string, calls float64) {
	t.Helper()
	require.Eventually(t, func() bool { return c.total(telemetry.CallWaits, class, "waited") == calls }, waitFor, tick)
}

func (c *crowding) another(t *testing.T) string {
	t.Helper()
	own := c.seller
	defer func() { c.seller = own }()
	c.seller = uuid.New()
	require.NoError(t, c.keys.Register(t.Context(), apikey.RegisterRequest{SellerID: c.seller, Name: "Other", Author: kim}))
	_, text := c.key(t)
	return text
}

// Of the largest pages of a seller, whatever keys request them, a service is asked for one at a time; meanwhile other sellers are
// served, and details and process calls of the seller.
func TestCrowding_pages(t *testing.T) {
	t.Parallel()
	c := crowded(t, "limit=100")
	_, one := c.key(t)
	_, two := c.key(t)
	for _, text := range []string{one, two, one} {
		c.begin(t, reading(text, "/open/v1/orders?limit=100&rows=100"))
	}
	<-c.arrived
	c.waits(t, "read", 2)
	require.Equal(t, http.StatusOK, c.send(t, reading(c.another(t), "/open/v1/orders?limit=50&rows=1")).status)
	require.Equal(t, http.StatusOK, c.post(t, one, "key", "/open/v1/orders/O-1/preparation?rows=1", "{}").status)
	require.Equal(t, http.StatusOK, c.send(t, reading(two, "/open/v1/orders/O-1?rows=1")).status)
	require.Empty(t, c.arrived)
	for range 2 {
		c.answer <- struct{}{}
		<-c.arrived
		require.Empty(t, c.arrived)
	}
	c.answer <- struct{}{}
	require.NoError(t, c.calls.Wait())
	require.InDelta(t, 0, c.total(telemetry.CallWaits, "read", "late"), 0)
}

// Of the large bodies of a seller, a service gets one at a time; meanwhile other sellers' large bodies, and the seller's small
// ones and reads, are served.
func TestCrowding_largeBodies(t *testing.T) {
	t.Parallel()
	const path = "/open/v1/orders/O-1/preparation?rows=1"
	c := crowded(t, "slow=1")
	_, one := c.key(t)
	_, two := c.key(t)
	large := `{"filling":"` + strings.Repeat("x", 300<<10) + `"}`
	for key, text := range map[string]string{"first": one, "second": two} {
		c.begin(t, posting(text, key, path+"&slow=1", large))
	}
	<-c.arrived
	c.waits(t, "process", 1)
	require.Equal(t, http.StatusOK, c.post(t, c.another(t), "key", path, large).status)
	require.Equal(t, http.StatusOK, c.post(t, one, "small", path, "{}").status)
	require.Equal(t, http.StatusOK, c.send(t, reading(two, "/open/v1/orders?limit=100&rows=100")).status)
	require.Empty(t, c.arrived)
	c.answer <- struct{}{}
	<-c.arrived
	c.answer <- struct{}{}
	require.NoError(t, c.calls.Wait())
}
