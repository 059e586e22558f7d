package intake

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/invalid"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// readBatch converts messages to inquiries, and returns their sellers.
func readBatch(messages []*qnav1.Inquiry) (batch []inquiry.Posted, sellers []uuid.UUID, err error) {
	var problems invalid.Problems
	problems.Count("inquiries", len(messages), 0, maxBatch)
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	for _, message := range messages {
		posted := readInquiry(message)
		batch, sellers = append(batch, posted), append(sellers, posted.SellerID)
	}
	return batch, sellers, nil
}

// checkBatch validates the inquiries. now is the latest valid time of writing.
func checkBatch(batch []inquiry.Posted, now time.Time) error {
	var problems invalid.Problems
	for i := range batch {
		problems.Append(batch[i].Check(fmt.Sprintf("inquiries[%d]", i), now)...)
	}
	return problems.Err()
}

// readInquiry converts a message to an inquiry. Values that cannot be parsed become zero, which the rules report.
func readInquiry(message *qnav1.Inquiry) inquiry.Posted {
	posted := inquiry.Posted{
		QnaID: readID(message.GetQnaId()), SellerID: readID(message.GetSellerId()), ProductID: readID(message.GetProductId()),
		ProductName: message.GetProductName(), Category: inquiry.Category(message.GetCategory()), Body: message.GetBody(),
		IsSecret: message.GetIsSecret(), MemberDisplayName: message.GetMemberDisplayName(), ImageURLs: message.GetImageUrls(),
	}
	if created := message.GetCreatedAt(); created.IsValid() {
		posted.CreatedAt = created.AsTime().Truncate(time.Microsecond)
	}
	return posted
}

// readID parses a UUID in its standard form.
func readID(text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(uuid.Nil.String()) {
		return uuid.Nil
	}
	return id
}

func readCancel(message *qnav1.CancelAnswerRequest) (inquiry.CancelCommand, error) {
	var problems invalid.Problems
	command := inquiry.CancelCommand{
		QnaID:    problems.UUID("qna_id", message.GetQnaId()),
		Operator: problems.Read("operator", message.GetOperator(), invalid.Operator),
		Reason:   problems.Read("reason", message.GetReason(), invalid.Memo),
	}
	return command, problems.Err()
}
