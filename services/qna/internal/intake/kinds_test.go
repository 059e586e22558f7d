package intake_test

import (
	"testing"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/invalid/invalidtest"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
)

// Texts have the same rules as in every other service.
func TestKinds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cancel := func(change func(m *qnav1.CancelAnswerRequest, text string)) func(string) error {
		return func(text string) error {
			m := &qnav1.CancelAnswerRequest{QnaId: uuid.NewString(), Operator: "kim", Reason: "x"}
			change(m, text)
			_, err := b.client.CancelAnswer(t.Context(), m)
			return err
		}
	}
	invalidtest.RequireKind(t, invalid.Operator, "operator",
		cancel(func(m *qnav1.CancelAnswerRequest, text string) { m.Operator = text }))
	invalidtest.RequireKind(t, invalid.Memo, "reason", cancel(func(m *qnav1.CancelAnswerRequest, text string) { m.Reason = text }))
	invalidtest.RequireKind(t, invalid.ProductName, "inquiries[0].product_name", func(text string) error {
		m := message(uuid.New())
		m.ProductName = text
		_, err := b.post(t, m)
		return err
	})
}
