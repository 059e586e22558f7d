package store

import (
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/services/qna/internal/inquiry"
)

func scanInquiry(row pgx.CollectableRow) (inquiry.Inquiry, error) {
	var i inquiry.Inquiry
	var answer answerColumns
	err := row.Scan(&i.QnaID, &i.SellerID, &i.ProductID, &i.ProductName, &i.Category, &i.Body, &i.IsSecret,
		&i.MemberDisplayName, &i.ImageURLs, &i.CreatedAt, &i.Status, &i.UpdatedAt, &i.Cancellations,
		&answer.content, &answer.answeredAt)
	i.Answer = answer.value()
	return i, err
}

func scanState(row pgx.CollectableRow) (inquiry.State, error) {
	var found inquiry.State
	var answer answerColumns
	err := row.Scan(&found.Status, &found.UpdatedAt, &found.Cancellations, &answer.content, &answer.answeredAt)
	found.Answer = answer.value()
	return found, err
}

// answerColumns are the columns of the outer join; null while the inquiry is waiting.
type answerColumns struct {
	content    *string
	answeredAt *time.Time
}

func (c answerColumns) value() *inquiry.Answer {
	if c.content == nil || c.answeredAt == nil {
		return nil
	}
	return &inquiry.Answer{Content: *c.content, AnsweredAt: *c.answeredAt}
}
