package market

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

// The same plan generates claims that are equal byte for byte.
func TestClaims_samePlanEqualBytes(t *testing.T) {
	t.Parallel()
	sum := sha256.New()
	m := setup(t, 100, 5)
	for number := range 3 * m.ClaimStories() {
		made := m.Claim(number)
		for _, message := range []proto.Message{made.Order, made.Request} {
			bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
			require.NoError(t, err)
			sum.Write(bytes)
		}
		for _, next := range made.Steps {
			sum.Write([]byte(next.Act + next.At.String() + next.Memo + next.Parcel.GetTrackingNo()))
		}
	}
	golden := filepath.Join("testdata", "claims.sha256")
	got := hex.EncodeToString(sum.Sum(nil)) + "\n"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// Steps in the future, or purchases that were confirmed before the claim arrived, would make a fill fail on some machines
// and on some days.
func TestClaims_eventsLieInThePast(t *testing.T) {
	t.Parallel()
	for _, told := range setup(t, 10, 1).tables.claims {
		require.Less(t, longest(told.steps), told.asked.soonest, "%s %s", told.kind, told.state)
	}
	m := setup(t, 100, 5)
	for number := range 20 * m.ClaimStories() {
		made := m.Claim(number)
		asked := made.Request.GetRequestedAt().AsTime()
		last := made.Order.GetPaidAt().AsTime()
		for _, line := range linesOf(made.Order) {
			for _, change := range line.GetHistory() {
				require.True(t, change.GetChangedAt().AsTime().Before(asked))
				last = change.GetChangedAt().AsTime()
			}
		}
		require.True(t, last.Before(asked))
		if made.Request.GetType() != cancel {
			require.Less(t, base.Sub(last), 8*24*time.Hour, "a purchase confirms itself after eight days")
		}
		for _, next := range made.Steps {
			require.True(t, next.At.After(asked))
			require.True(t, next.At.Before(base))
			asked = next.At
		}
		requireNothingRunsOut(t, made)
	}
}

// requireNothingRunsOut checks that no period passes before a step that the story takes within it.
func requireNothingRunsOut(t *testing.T, made Claim) {
	t.Helper()
	const period = 72 * time.Hour
	for i, next := range made.Steps {
		if next.Act == pay {
			require.Less(t, base.Sub(made.Request.GetRequestedAt().AsTime()), period)
		}
		if next.Act == "collect-done" && made.Request.GetType() == "return" && i+1 < len(made.Steps) && made.Steps[i+1].Act != "pass" {
			require.Less(t, base.Sub(next.At), period)
		}
	}
}

// A customer who unexpectedly has to pay first, or unexpectedly does not, would make a claim deviate from its story.
func TestClaims_onlySmallGoodsBelowReturnFee(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		shops, err := Sellers(seed, 4)
		require.NoError(t, err)
		m, err := New(Plan{Seed: seed, Base: base, Orders: 100, Sellers: shops})
		require.NoError(t, err)
		for number := range 4 * m.ClaimStories() {
			made, told := m.Claim(number), m.tables.claims[number%m.ClaimStories()]
			if told.kind != "return" {
				continue
			}
			var goods int64
			for i, line := range linesOf(made.Order) {
				goods += paidFor(line) * made.Request.GetItems()[i].GetQuantity() / line.GetQuantity()
			}
			if told.is(small) {
				require.Less(t, goods, int64(shippingFee))
			} else {
				require.GreaterOrEqual(t, goods, int64(2*shippingFee))
			}
		}
	}
}

func longest(steps []step) time.Duration {
	var sum time.Duration
	for _, next := range steps {
		sum += next.latest
	}
	return sum
}
