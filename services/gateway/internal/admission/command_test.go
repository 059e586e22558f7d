package admission_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
)

// Another program that sends the command charges the window in which an Admitter counts, and gets its verdicts.
func TestCommand_countsInTheSameWindow(t *testing.T) {
	t.Parallel()
	server := redistest.New(t, admission.Scripts()...)
	admitter, call := start(t, server.Client)
	command := admitter.Command(call)
	send := func(nonce string) admission.Verdict {
		t.Helper()
		require.Len(t, nonce, admission.NonceBytes)
		answers, err := server.Client.EvalSha(t.Context(), command.Digest, []string{command.State, command.Window},
			slices.Concat(command.Before, []any{nonce}, command.After)...).Slice()
		require.NoError(t, err)
		require.Len(t, answers, 1)
		verdict, ok := answers[0].([]any)[0].(string)
		require.True(t, ok)
		return admission.Verdict(verdict)
	}
	require.Equal(t, admission.Admitted, send("000001"))
	require.Equal(t, admission.Admitted, send("000001"), "the same nonce is the same call")
	require.Equal(t, admission.Admitted, send("000002"))
	seen, err := admitter.Look(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, 2, seen.Usage.Calls)
	require.Equal(t, 2*call.Reserve, seen.Usage.Rows)
	require.EqualValues(t, 1, server.Client.Exists(t.Context(), command.Window).Val())

	for seen.Verdict == admission.Admitted {
		seen, err = admitter.Charge(t.Context(), call)
		require.NoError(t, err)
	}
	require.Equal(t, admission.Refused, send("000003"))
	require.NoError(t, server.Client.Del(t.Context(), command.State).Err())
	require.Equal(t, admission.Unknown, send("000004"))
}
