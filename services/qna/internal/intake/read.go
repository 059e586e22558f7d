package intake

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/store"
)

const (
	// maxProblems bounds what one refusal reports.
	maxProblems = 100
	// What the history can hold of a cancellation, in code points.
	maxOperator = 100
	maxReason   = 1000
)

// readBatch turns messages into checked inquiries. now is the latest time at which they can have been written.
func readBatch(messages []*qnav1.Inquiry, now time.Time) ([]inquiry.Posted, error) {
	if len(messages) > maxBatch {
		return nil, apierr.Invalid(apierr.FieldError{Field: "inquiries", Code: apierr.FieldTooMany,
			Message: fmt.Sprintf("has %d elements; %d is the most", len(messages), maxBatch)})
	}
	batch := make([]inquiry.Posted, 0, len(messages))
	var problems []apierr.FieldError
	for i, message := range messages {
		posted := readInquiry(message)
		problems = append(problems, posted.Check(fmt.Sprintf("inquiries[%d]", i), now)...)
		batch = append(batch, posted)
		if len(problems) >= maxProblems {
			break
		}
	}
	if len(problems) > 0 {
		return nil, apierr.Invalid(problems[:min(len(problems), maxProblems)]...)
	}
	return batch, nil
}

// readInquiry turns a message into an inquiry. What cannot be read is zero, and the rules name it.
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

// readID reads a UUID in its usual form.
func readID(text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(uuid.Nil.String()) {
		return uuid.Nil
	}
	return id
}

// readCancel turns the message into a checked command.
func readCancel(message *qnav1.CancelAnswerRequest) (store.CancelCommand, error) {
	command := store.CancelCommand{
		QnaID: readID(message.GetQnaId()), Operator: message.GetOperator(), Reason: message.GetReason(),
	}
	var problems []apierr.FieldError
	if command.QnaID == uuid.Nil {
		problems = append(problems, apierr.FieldError{Field: "qna_id", Code: apierr.FieldMalformed, Message: "is not a UUID"})
	}
	problems = append(problems, checkWords("operator", command.Operator, maxOperator)...)
	problems = append(problems, checkWords("reason", command.Reason, maxReason)...)
	if len(problems) > 0 {
		return store.CancelCommand{}, apierr.Invalid(problems...)
	}
	return command, nil
}

// checkWords checks a text that an operator must give.
func checkWords(field, text string, most int) []apierr.FieldError {
	switch {
	case strings.TrimSpace(text) == "":
		return []apierr.FieldError{{Field: field, Code: apierr.FieldEmpty, Message: "is empty or blank"}}
	case utf8.RuneCountInString(text) > most:
		return []apierr.FieldError{{Field: field, Code: apierr.FieldTooLong, Message: fmt.Sprintf("has more than %d characters", most)}}
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		return []apierr.FieldError{{Field: field, Code: apierr.FieldControl, Message: "has control characters"}}
	}
	return nil
}
