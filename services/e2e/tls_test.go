package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/certificate/certificatetest"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/allinone/up"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

const loopback = "127.0.0.1"

// With TLS between services the whole system works as it does without, and keeps working when certificates and their authority
// are renewed while it runs.
func TestTLS_wholeSystem(t *testing.T) {
	t.Parallel()
	files := certificate.Config{Dir: t.TempDir(), Interval: time.Nanosecond}
	certificatetest.NewAuthority(t).Write(t, files.Dir, loopback)
	s := stacktest.Own(t, func(config *stack.Config) { config.TLS = files })
	require.True(t, strings.HasPrefix(s.GatewayURL, "https://"))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		"http"+strings.TrimPrefix(s.GatewayURL, "https"), http.NoBody)
	require.NoError(t, err)
	plain, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	require.NoError(t, err)
	require.NoError(t, plain.Body.Close())
	require.Equal(t, http.StatusBadRequest, plain.StatusCode, "requests without TLS are refused")
	requireSecured(t, s)

	certificatetest.NewAuthority(t).Write(t, files.Dir, loopback)
	requireSecured(t, s.Through(t, func(*gateway.Config) {})) // a new gateway, so that every connection is new
}

// A release with TLS can be filled like one without, also over forwarded ports, where the certificate names the service and the
// port is on the loopback address. A release whose certificate is of another authority, or names another host, receives no data.
func TestTLS_fill(t *testing.T) {
	t.Parallel()
	const name = "services.example"
	trusted, stranger := certificate.Config{Dir: t.TempDir()}, certificate.Config{Dir: t.TempDir()}
	certificatetest.NewAuthority(t).Write(t, trusted.Dir, loopback, name)
	certificatetest.NewAuthority(t).Write(t, stranger.Dir, loopback, name)
	s := stacktest.Own(t, func(config *stack.Config) { config.TLS = trusted })
	direct := s.Env(s.Seller(t), s.Seller(t))
	forwarded := direct
	for _, url := range []*string{&forwarded.OrdersRPCURL, &forwarded.ClaimsRPCURL, &forwarded.KeysRPCURL} {
		*url = strings.Replace(*url, loopback, name, 1)
	}
	base := time.Now().Truncate(time.Second) // the same for all, because the same orders are sent again
	for _, c := range []struct {
		env     envfile.Values
		tls     certificate.Client
		refused string
	}{
		{direct, certificate.Client{}, "certificate signed by unknown authority"},
		{direct, certificate.Client{Config: stranger}, "certificate signed by unknown authority"},
		{forwarded, certificate.Client{Config: stranger, ConnectTo: loopback}, "certificate signed by unknown authority"},
		{direct, certificate.Client{Config: trusted}, ""},
		{forwarded, certificate.Client{Config: trusted, ConnectTo: loopback}, ""},
	} {
		err := fill(t, c.env, base, c.tls)
		if c.refused != "" {
			require.ErrorContains(t, err, c.refused)
			continue
		}
		require.NoError(t, err)
	}
	require.NotEmpty(t, s.Client(direct.SellerAID).List(t, "1").List)
}

func fill(t *testing.T, env envfile.Values, base time.Time, tls certificate.Client) error {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, envfile.Name), envfile.Format(env), 0o600))
	return up.Fill(t.Context(), up.FillOptions{
		RunDir: dir, Orders: 10, Sellers: 2, Claims: 2, Seed: 1, Base: base, TLS: tls, Out: io.Discard, Progress: io.Discard,
	})
}

// requireSecured takes an order through reading, preparation and a claim, which uses every connection: client to gateway, gateway
// to orders and to claims, claims to orders, and the marketplace to each of them.
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
