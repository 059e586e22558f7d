package crash

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// No call is made between the last commit of an action and the recording of its answer. The test blocks the recording
// with a lock and kills claims; a client that asks again gets an answer, which every later repetition gets as well.
func TestAction_answerNotRecorded(t *testing.T) {
	t.Parallel()
	s := newSystem(t, migrated(t)(t), "DATABASE_MAX_CONNS=20")
	var trials []*trial
	for i := range actions {
		if tr := (&trial{action: &actions[i], wrong: "end"}); tr.isSellers() {
			trials = append(trials, tr)
		}
	}
	s.prepare(trials)
	seen := s.watch(trials)
	lock, err := s.db.Begin(t.Context())
	require.NoError(t, err)
	_, err = lock.Exec(t.Context(), "lock table claims.inbox_answers in exclusive mode")
	require.NoError(t, err)
	var asked sync.WaitGroup
	for _, tr := range trials {
		asked.Go(func() { s.ask(tr, s.base) })
	}
	const waiting = "select count(*) from pg_locks where relation = 'claims.inbox_answers'::regclass and not granted"
	eventually(t, func() bool { return one[int](t, s, waiting) == len(trials) },
		func() string { return "an answer is not to be written" })
	s.kill(claimsService)
	asked.Wait()
	// They wait before the commit, which would still take place after the client is gone.
	_, err = s.db.Exec(t.Context(),
		"select pg_terminate_backend(pid) from pg_locks where relation = 'claims.inbox_answers'::regclass and not granted")
	require.NoError(t, err)
	eventually(t, func() bool { return one[int](t, s, waiting) == 0 }, func() string { return "a connection is not ended" })
	require.NoError(t, lock.Rollback(t.Context()))
	for _, tr := range trials {
		const begun = "select count(*) from claims.inbox where begun and seller_id = $1 and digest = ('x' || encode($2, " +
			"'hex'))::bit(64)::bigint"
		require.Equal(t, 1, one[int](t, s, begun, tr.seller, tr.key[:]))
	}
	s.start(claimsService)
	s.settle(trials)
	seen.end()
	s.requireEnd(t, trials)
}
