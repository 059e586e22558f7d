package intake

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/invalid"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// readBatch converts messages to validated inquiries. now is the latest valid time of writing.
func readBatch(messages []*qnav1.Inquiry, now time.Time) ([]inquiry.Posted, error) {
	var problems invalid.Problems
	if !problems.Count("inquiries", len(messages), 0, maxBatch) {
		return nil, problems.Err()
	}
	batch := make([]inquiry.Posted, 0, len(messages))
	for i, message := range messages {
		posted := readInquiry(message)
		problems.Append(posted.Check(fmt.Sprintf("inquiries[%d]", i), now)...)
		batch = append(batch, posted)
	}
	return batch, problems.Err()
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
