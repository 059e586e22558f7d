package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/trust"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

// inlineMost is how long an action on a claim waits for its steps: nearly as long as the gateway waits for the action.
const inlineMost = 14 * time.Second

const roundsEach = 6

// All keys with which services authenticate one another are replaced while the system works: every instance first gets the new
// public keys in addition, then the new private keys, and then drops the old public ones. Each step replaces the instances one
// generation after the other, so that calls meet both, with gateway, orders and claims in every combination. Not one call fails,
// and in the end what an old key signs is refused.
func TestKeys_rotatedUnderLoad(t *testing.T) { //nolint:paralleltest // in parallel with other tests a call could time out
	old := newSecrets(t)
	fresh := old
	fresh.Private = newSecrets(t).Private
	steps := []struct {
		secrets stack.Secrets
		trusted trust.PublicKeys
	}{
		{old, trustedOf(t, old)},
		{old, trustedOf(t, old, fresh)},
		{fresh, trustedOf(t, old, fresh)},
		{fresh, trustedOf(t, fresh)},
	}
	front := &balancers{t: t, byPort: map[string]*balancer{}}
	change := func(generation int) func(*stack.Config) {
		return func(config *stack.Config) {
			config.Secrets, config.Trusted = steps[generation].secrets, steps[generation].trusted
			config.Published = front.publish(generation)
			config.Limits.Read, config.Limits.Process, config.Limits.Rows = 1_000_000, 1_000_000, 1_000_000
			config.Timeout, config.Claims.Timeout = time.Minute, inlineMost
		}
	}
	current := stacktest.Own(t, change(0))
	running := startTraffic(t, current)
	for generation := 1; generation < len(steps); generation++ {
		running.await(t, roundsEach)
		next := current.Beside(t, change(generation))
		running.await(t, roundsEach)
		running.use(next)
		running.await(t, roundsEach)
		front.leave(generation - 1)
		current.Stop(t)
		current = next
	}
	running.await(t, roundsEach)
	running.end(t)
	requireForgotten(t, front, old, fresh)
}

func newSecrets(t *testing.T) stack.Secrets {
	t.Helper()
	secrets, err := stack.NewSecrets()
	require.NoError(t, err)
	return secrets
}

func trustedOf(t *testing.T, all ...stack.Secrets) trust.PublicKeys {
	t.Helper()
	lines := make([]string, 0, len(all))
	for i := range all {
		_, public, err := all[i].Keys()
		require.NoError(t, err)
		lines = append(lines, public.String())
	}
	keys, err := trust.ParsePublicKeys(strings.Join(lines, "\n"))
	require.NoError(t, err)
	return keys
}

// requireForgotten checks that calls signed with the old keys are refused, and that the same signed with the new ones are not.
func requireForgotten(t *testing.T, front *balancers, old, fresh stack.Secrets) {
	t.Helper()
	known, public, err := fresh.Keys()
	require.NoError(t, err)
	gone, _, err := old.Keys()
	require.NoError(t, err)
	for _, c := range []struct {
		keys   map[trust.Party]trust.PrivateKey
		status int
		code   connect.Code
	}{{known, http.StatusOK, 0}, {gone, http.StatusUnauthorized, connect.CodeUnauthenticated}} {
		require.Equal(t, c.status, forwarded(t, front.instance(t, "orders public"), c.keys[trust.Gateway], public))
		for caller, party := range map[string]trust.Party{rpc.CallerMarketplace: trust.Issuer, rpc.CallerClaims: trust.Claims} {
			err := lookAtOrders(t, front.instance(t, "orders rpc"), rpc.Identity{
				Party: party, Key: c.keys[party], Caller: caller, Audience: rpc.Audience(caller),
			})
			if c.code == 0 {
				require.NotEqual(t, connect.CodeUnauthenticated, connect.CodeOf(err), "%s: %v", caller, err)
			} else {
				require.Equal(t, c.code, connect.CodeOf(err), "%s: %v", caller, err)
			}
		}
	}
}

// forwarded sends the orders service a list call as a gateway signs it with the key, and returns the status of the response.
func forwarded(t *testing.T, address string, key trust.PrivateKey, trusted trust.PublicKeys) int {
	t.Helper()
	signer, err := principal.NewSigner(key, trusted)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/open/v1/orders?limit=1", http.NoBody)
	require.NoError(t, err)
	caller := principal.Principal{SellerID: uuid.New(), KeyID: uuid.NewString(), KeyPrefix: "vpk_test_abc", Scopes: principal.All()}
	request.Header.Set(principal.Header, signer.Sign(trust.Orders, principal.Outgoing(request),
		principal.BodyDigest{}, caller, time.Now()))
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode
}

func lookAtOrders(t *testing.T, address string, identity rpc.Identity) error {
	t.Helper()
	token, err := rpc.NewToken(identity, time.Minute)
	require.NoError(t, err)
	if identity.Caller == rpc.CallerClaims {
		_, err = stack.ClaimLines(address, token.Text).Touch(t.Context(), &ordersv1.TouchRequest{ClaimNo: "C0", Step: "approve"})
		return err
	}
	_, err = stack.Intake(address, token.Text).ForgetMember(t.Context(), &ordersv1.ForgetMemberRequest{MemberId: uuid.NewString()})
	return err
}
