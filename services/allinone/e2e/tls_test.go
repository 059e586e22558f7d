package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/certificate/certificatetest"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/allinone/stack/stacktest"
	"sellerapi.dev/services/gateway"
)

// loopback is where the services of a stack listen.
const loopback = "127.0.0.1"

// With TLS between services the whole system works as without, and goes on when certificates and their authority are renewed
// while it runs.
func TestTLS_wholeSystem(t *testing.T) {
	t.Parallel()
	files := certificate.Config{Dir: t.TempDir(), Interval: time.Nanosecond}
	certificatetest.NewAuthority(t).Write(t, files.Dir, loopback)
	s := stacktest.Own(t, func(config *stack.Config) { config.TLS = files })
	require.True(t, strings.HasPrefix(s.GatewayURL, "https://"))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http"+strings.TrimPrefix(s.GatewayURL, "https"), http.NoBody)
	require.NoError(t, err)
	plain, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	require.NoError(t, err)
	require.NoError(t, plain.Body.Close())
	require.Equal(t, http.StatusBadRequest, plain.StatusCode, "nothing is answered without TLS")
	requireSecured(t, s)

	certificatetest.NewAuthority(t).Write(t, files.Dir, loopback)
	requireSecured(t, s.Through(t, func(*gateway.Config) {})) // which opens connections to the services, as the client does to it
}

// requireSecured takes an order to where it is read, prepared and claimed: client to gateway, gateway to orders and to claims, claims
// to orders, and the marketplace to each of them.
func requireSecured(t *testing.T, s *stacktest.Stack) {
	t.Helper()
	seller := s.Seller(t)
	d := &session{Stack: s, seller: seller, client: s.Client(seller.ID)}
	orderNo, ids := d.place(t)
	require.Equal(t, "paid", d.order(t, orderNo).OrderStatus)
	require.Equal(t, "preparing", d.done(t, "preparation", orderNo, of(ids...)).OrderStatus)
	request := stacktest.NewClaim(stacktest.Return, s.PlaceNew(t, seller.ID, stacktest.Claimable(stacktest.Return)))
	s.RequestClaim(t, request)
	require.Equal(t, request.GetOrderNo(), d.client.Claim(t, request.GetClaimNo()).OrderNo)
}
