package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// An operator withdraws an answer while the seller sends the same answer again: the seller's call has seen the answer
// and waits behind the operator's for the lock on the inquiry. The seller's intent is now unclear, so the response asks
// for a retry, which then creates a new answer.
func TestAnswer_cancelledDuringRepetition(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	asked := stacktest.NewInquiry(d.seller.ID)
	d.Ask(t, asked)
	var call stacktest.Call
	var unresolved stacktest.Answer
	stacktest.Await(t, "the two calls meet", func() bool { // on a busy machine either call may time out before
		call = answerTo("", asked.GetQnaId(), "네")
		require.Equal(t, http.StatusOK, d.client.Do(t, answerTo("", asked.GetQnaId(), "네")).Status)
		unresolved = d.takenBackMeanwhile(t, asked.GetQnaId(), call)
		return unresolved.Code() == "QNA_ANSWER_UNRESOLVED"
	})
	require.Equal(t, http.StatusConflict, unresolved.Status)
	require.Empty(t, unresolved.Header.Get("Retry-After"))
	later := stacktest.RequireOK[stacktest.AnswerResult](t, d.client.Do(t, call))
	require.False(t, later.Converged, "the same key, with a new response")
}

// takenBackMeanwhile makes the call while an operator withdraws the inquiry's answer, and returns the response.
func (d *session) takenBackMeanwhile(t *testing.T, id string, call stacktest.Call) stacktest.Answer {
	t.Helper()
	held := d.Lock(t, "select from qna.inquiries where seller_id = $1 and qna_id = $2 for no key update", d.seller.ID, id)
	cancelled := make(chan error, 1)
	go func() {
		_, err := d.Inquiries.CancelAnswer(t.Context(), &qnav1.CancelAnswerRequest{
			QnaId: id, Operator: "op", Reason: "answered the wrong question",
		})
		cancelled <- err
	}()
	stacktest.Await(t, "the operator waits", func() bool { return held.IsWantedBy(t, 1) || len(cancelled) > 0 })
	answered := make(chan stacktest.Answer, 1)
	go func() { answered <- d.client.Do(t, call) }()
	stacktest.Await(t, "the seller waits", func() bool { return held.IsWantedBy(t, 2) || len(cancelled)+len(answered) > 0 })
	held.Release(t)
	if err := <-cancelled; err != nil {
		t.Logf("the operator has not waited so long: %v", err)
	}
	return <-answered
}
