package claims_test

import (
	"context"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/orders/orderstest"
)

// Claims can be read through the real port, and the service becomes ready.
func TestRun_claimsReadThroughRealPort(t *testing.T) {
	t.Parallel()
	settings := config(t, noOrders)
	addresses := start(t, settings)
	public := "http://" + addresses["public"] + "/open/v1/claims"
	status, envelope := call(t, settings, uuid.New(), http.MethodGet, public+"?type=return&status=requested")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"list":[],"next_cursor":null}`, string(envelope.Data))
	status, envelope = call(t, settings, uuid.New(), http.MethodGet, public+"/C-1")
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, "CLAIM_NOT_FOUND", *envelope.Meta.ErrorCode)

	require.Eventually(t, func() bool { return readyz(t, addresses) == http.StatusOK }, time.Minute, 50*time.Millisecond)
}

// readyz returns the status of the readiness probe. A probe whose database query takes longer than a second is 503, as on a
// loaded machine.
func readyz(t *testing.T, addresses map[string]string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addresses["ops"]+"/readyz", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// The gateway passes these responses on to clients, so they must be the envelope.
func TestRoutes_unknownIsTheEnvelope(t *testing.T) {
	t.Parallel()
	settings := config(t, noOrders)
	addresses := start(t, settings)
	for target, want := range map[[2]string]int{
		{http.MethodGet, "/"}:                    http.StatusNotFound,
		{http.MethodGet, "/open/v1/claims/"}:     http.StatusNotFound,
		{http.MethodPost, "/open/v1/claims"}:     http.StatusMethodNotAllowed,
		{http.MethodDelete, "/open/v1/claims/1"}: http.StatusMethodNotAllowed,
		{http.MethodGet, "/open/v1/claims"}:      http.StatusUnauthorized,
		{http.MethodGet, "/open/v1/claims/1"}:    http.StatusUnauthorized,
	} {
		status, envelope := call(t, settings, uuid.Nil, target[0], "http://"+addresses["public"]+target[1])
		require.Equal(t, want, status, target)
		require.Equal(t, want, envelope.Meta.Code)
		require.Nil(t, envelope.Meta.ErrorCode)
		require.NotEmpty(t, envelope.Meta.ErrorData["request_id"])
	}
}

func TestRun_missingKeys(t *testing.T) {
	t.Parallel()
	settings := config(t, noOrders)
	settings.SigningKey = trust.PrivateKey{}
	settings.TrustedKeys, settings.CursorKeys = trust.PublicKeys{}, secret.Keys{}
	err := claims.Run(t.Context(), settings)
	require.ErrorContains(t, err, "TRUSTED_KEYS")
	require.ErrorContains(t, err, "SIGNING_KEY")
	require.ErrorContains(t, err, "CURSOR_KEYS")

	settings = config(t, noOrders)
	settings.SigningKey = trusttest.Named("next")
	require.ErrorContains(t, claims.Run(t.Context(), settings),
		"SIGNING_KEY: its public key is not among the trusted keys of claims")
	settings = config(t, noOrders)
	settings.TrustedKeys = trusttest.Parse(trusttest.Line(trust.Gateway, trusttest.Key(trust.Gateway)))
	require.ErrorContains(t, claims.Run(t.Context(), settings), "TRUSTED_KEYS: no public key of issuer")

	settings = config(t, noOrders)
	settings.Upstreams = service.Upstreams{operation.Orders: "orders:8081"}
	require.ErrorContains(t, claims.Run(t.Context(), settings), "UPSTREAMS: orders: expected")
	settings.Upstreams = nil
	require.ErrorContains(t, claims.Run(t.Context(), settings), "UPSTREAMS: orders is missing")
	settings = config(t, noOrders)
	settings.Refund.URL = "https://pay.example"
	require.ErrorContains(t, claims.Run(t.Context(), settings), "REFUND_PROVIDER_KEYS")
}

// The embedded provider reports refunds as paid that are never paid: customers of a live marketplace would wait without end.
func TestRun_liveWithoutRefundProvider(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end() // if it starts nevertheless, it stops at once
	for _, environment := range []string{service.Live, ""} {
		settings := config(t, noOrders)
		settings.Environment = environment
		err := claims.Run(ended, settings)
		require.ErrorContains(t, err,
			"REFUND_PROVIDER_URL is empty, so a live environment would pay no refunds: set it and REFUND_PROVIDER_KEYS")
	}
	settings := config(t, noOrders)
	settings.Environment, settings.Refund.URL, settings.Refund.Keys = service.Live, "https://pay.example/refunds", newKeys(t)
	start(t, settings)
}

// An interrupted request is finished by the instance itself, soon after the other service is back.
func TestRun_finishesInterruptedRequest(t *testing.T) {
	t.Parallel()
	orders := orderstest.New(t)
	settings := config(t, orders.Serve(t))
	addresses := start(t, settings)
	m := newMarket(t, settings, addresses)
	for _, kind := range []string{"cancel", "return"} {
		no := m.request(t, orders, kind)
		orders.Fail(rpctest.Any, rpctest.Always(rpctest.Fault{Unreachable: true}))
		if kind == "cancel" {
			orders.Fail(rpctest.Any, nil)
			orders.Fail("Settle", rpctest.Always(rpctest.Fault{Drop: true}))
			require.Equal(t, "refund_processing", m.act(t, no, "approve", ""))
			orders.Fail("Settle", nil)
			m.await(t, no, "completed")
			require.Equal(t, "canceled", orders.Lines(no)[1].State)
		} else {
			require.Empty(t, m.act(t, no, "reject", `{"memo":"worn"}`), "the rejection was not performed")
			require.Equal(t, no, orders.Lines(no)[0].ClaimNo)
			orders.Fail(rpctest.Any, nil)
			m.await(t, no, "rejected")
			require.Empty(t, orders.Lines(no)[0].ClaimNo)
		}
	}
	for _, metric := range []string{
		`saga_steps_total\{outcome="retry",step="release-lines"}`, `saga_steps_total\{outcome="done_by_job",step="release-lines"}`,
		`saga_oldest_pending_seconds\{step="finish-claim"}`, `job_runs_total\{kind="step",outcome="done"} [1-9]`,
	} {
		require.Eventually(t, func() bool { return regexp.MustCompile(metric).MatchString(m.metrics(t)) }, 60*time.Second,
			50*time.Millisecond, metric)
	}
}

// Timers use the periods of the configuration.
func TestRun_timersFollowSettings(t *testing.T) {
	t.Parallel()
	orders := orderstest.New(t)
	settings := config(t, orders.Serve(t))
	settings.Periods.Inspection = time.Millisecond
	m := newMarket(t, settings, start(t, settings))
	no := m.request(t, orders, "return")
	m.act(t, no, "approve", "")
	m.act(t, no, "pickup", `{"carrier_name":"한진택배","tracking_no":"412345678901"}`)
	m.act(t, no, "collect-done", "")
	m.await(t, no, "completed")
	require.Equal(t, "returned", orders.Lines(no)[1].State)
}
