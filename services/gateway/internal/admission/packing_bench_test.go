package admission

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/keystate"
)

const batchSize = 8

// packedScript and plainScript do with the parameters of a call what admit.lua does at its beginning and its end, and nothing in between.
const (
	packedScript = `local replies = {}
		for n, argument in ipairs(ARGV) do
			local max_calls, max_rows, life, lease, what, nonce, reserve, not_after, believed, at =
				struct.unpack('>I4I4sssc6I4I8s', argument)
			replies[n] = struct.pack('>sI8I4I4I8I8I8s', 'admitted', not_after, max_calls, max_rows, 1, 2, not_after, what) .. believed
		end
		return replies`
	plainScript = `local replies = {}
		for n = 0, #ARGV / 9 - 1 do
			local max_calls, max_rows, life, lease, what, nonce, reserve, not_after, believed = unpack(ARGV, n * 9 + 1, n * 9 + 9)
			replies[n + 1] = {'admitted', tonumber(not_after), tonumber(max_calls), tonumber(max_rows), 1, 2, tonumber(not_after), what, believed}
		end
		return replies`
)

// BenchmarkPacking compares one packed argument and one packed reply for a call with an argument and an element for each parameter.
// Each operation is a command of batchSize calls.
//
//	go test ./internal/admission -run '^$' -bench Packing -benchtime 2s -count 3
func BenchmarkPacking(b *testing.B) {
	server := redistest.Own(b)
	state := string(keystate.State{Version: 1}.AppendEntry(nil))
	nonce := strings.Repeat("n", 6)
	const notAfter = 1_700_000_000_000_000
	run := func(name, script string, arguments func() []any, parse func(any)) {
		b.Run(name, func(b *testing.B) {
			digest, err := server.Client.ScriptLoad(b.Context(), script).Result()
			require.NoError(b, err)
			before := processorTime(b, server)
			for b.Loop() {
				reply, err := server.Client.EvalSha(b.Context(), digest, nil, arguments()...).Slice()
				require.NoError(b, err)
				for _, one := range reply {
					parse(one)
				}
			}
			b.ReportMetric(float64((processorTime(b, server)-before).Nanoseconds())/float64(b.N)/batchSize, "cpu-ns/call")
		})
	}
	run("packed", packedScript, func() []any {
		arguments := make([]any, 0, batchSize)
		for range batchSize {
			a := argument(nil).uint32(60).uint32(3000).word("60000").word("15000").word("charge").raw(nonce).uint32(50).uint64(notAfter)
			arguments = append(arguments, []byte(append(a.raw(state), 0)))
		}
		return arguments
	}, func(one any) {
		text, ok := one.(string)
		require.True(b, ok)
		r := reply{rest: text}
		r.word()
		r.uint64()
		r.uint32()
		r.uint32()
		r.uint64()
		r.uint64()
		r.uint64()
		require.False(b, r.broken)
	})
	run("plain", plainScript, func() []any {
		arguments := make([]any, 0, batchSize*9)
		for range batchSize {
			arguments = append(arguments, 60, 3000, "60000", "15000", "charge", nonce, 50, int64(notAfter), state)
		}
		return arguments
	}, func(one any) {
		fields, ok := one.([]any)
		require.True(b, ok)
		require.Len(b, fields, 9)
	})
}
