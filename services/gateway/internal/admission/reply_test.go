package admission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// An answer of another form is an error, and never a decision.
func TestRead_foreignAnswers(t *testing.T) {
	t.Parallel()
	a := New(nil, ratelimit.Config{}, idempotency.Config{})
	whole := []any{"admitted", int64(1), int64(1), int64(0), int64(0), int64(0), int64(1), "busy", int64(2), int64(3)}
	_, err := a.read(whole, operation.Process)
	require.NoError(t, err)
	for name, answer := range map[string]any{
		"nothing": nil, "a text": "admitted", "too short": whole[:len(whole)-1], "a text for a number": []any{"unknown", "1"},
	} {
		_, err := a.read(answer, operation.Process)
		require.ErrorIs(t, err, errReply, name)
	}
}
