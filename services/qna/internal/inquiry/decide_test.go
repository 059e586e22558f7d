package inquiry_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/qna/internal/inquiry"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func waiting(cancellations int) inquiry.State {
	return inquiry.State{Status: inquiry.Waiting, UpdatedAt: noon, Cancellations: cancellations}
}

func answered(content string, cancellations int) inquiry.State {
	return inquiry.State{
		Status: inquiry.Answered, UpdatedAt: noon, Cancellations: cancellations,
		Answer: &inquiry.Answer{Content: content, AnsweredAt: noon},
	}
}

func TestDecide_firstAnswerAndRepetition(t *testing.T) {
	t.Parallel()
	decision, err := waiting(0).Decide("yes")
	require.NoError(t, err)
	require.Equal(t, inquiry.Register, decision)

	decision, err = answered("yes", 0).Decide("yes\r\n")
	require.NoError(t, err)
	require.Equal(t, inquiry.Converge, decision)
}

func TestDecide_otherAnswerRefused(t *testing.T) {
	t.Parallel()
	_, err := answered("yes", 0).Decide("no")
	require.Equal(t, apierr.QnaAlreadyAnswered.With(map[string]any{
		"status": inquiry.Answered, "answered_at": timestamp.Time(noon),
	}), err)
}

// Every way in which an inquiry can change between the read and the write, with the same content and with other.
func TestDecide_race(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seen, now inquiry.State
		want      inquiry.Decision
		code      error
	}{
		"no change, waiting":               {waiting(0), waiting(0), inquiry.Register, nil},
		"no change, same answer":           {answered("yes", 0), answered("yes", 0), inquiry.Converge, nil},
		"no change, cancelled earlier":     {waiting(3), waiting(3), inquiry.Register, nil},
		"concurrent, same answer":          {waiting(0), answered("yes", 0), inquiry.Converge, nil},
		"concurrent, another answer":       {waiting(0), answered("no", 0), "", apierr.QnaAlreadyAnswered},
		"answer cancelled":                 {answered("yes", 0), waiting(1), "", apierr.QnaAnswerUnresolved},
		"answered and cancelled":           {waiting(0), waiting(1), "", apierr.QnaAnswerUnresolved},
		"cancelled, then same answer":      {answered("yes", 0), answered("yes", 1), "", apierr.QnaAnswerUnresolved},
		"cancelled, then another answer":   {answered("yes", 0), answered("no", 1), "", apierr.QnaAnswerUnresolved},
		"answered, cancelled, same answer": {waiting(4), answered("yes", 5), "", apierr.QnaAnswerUnresolved},
		"answered and cancelled twice":     {waiting(0), waiting(2), "", apierr.QnaAnswerUnresolved},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			decision, err := inquiry.Settle(c.seen, c.now, "yes")
			require.ErrorIs(t, err, c.code)
			require.Equal(t, c.want, decision)
		})
	}
}

// The target of a trigger comes from the table of the states; from any other state there is none.
func TestTarget_fromTheTable(t *testing.T) {
	t.Parallel()
	require.Equal(t, inquiry.Answered, waiting(0).Target(inquiry.TriggerAnswer))
	require.Equal(t, inquiry.Waiting, answered("yes", 0).Target(inquiry.TriggerCancel))
	require.Empty(t, waiting(0).Target(inquiry.TriggerCancel))
	require.Empty(t, answered("yes", 0).Target(inquiry.TriggerAnswer))
}
