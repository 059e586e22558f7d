package rest

import (
	"context"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
)

const maxImages = 10

// ask implements POST /sandbox/v1/qna.
func (a *API) ask(ctx context.Context, at scene, body *web.Body) (happened, error) {
	made, err := marketOf(at.seller, false)
	if err != nil {
		return happened{}, err
	}
	inquiry := made.Inquiry(anyNumber(), now())
	inquiry.IsSecret = body.OptionalBool("is_secret")
	for _, one := range []struct {
		name string
		kind invalid.Text
		into *string
	}{
		{"product_id", invalid.ID, &inquiry.ProductId},
		{"product_name", invalid.ProductName, &inquiry.ProductName},
		{"category", invalid.Category, &inquiry.Category},
		{"body", invalid.InquiryBody, &inquiry.Body},
		{"member_display_name", invalid.PersonName, &inquiry.MemberDisplayName},
	} {
		if given := body.OptionalString(one.name, one.kind); given != nil {
			*one.into = *given
		}
	}
	if images := body.OptionalStrings("image_urls", web.List{Max: maxImages, Element: invalid.ImageURL}); images != nil {
		inquiry.ImageUrls = images
	}
	if at := body.OptionalTime("created_at"); at != nil {
		inquiry.CreatedAt = timestamppb.New(*at)
	}
	if err := body.Err(); err != nil {
		return happened{}, err
	}
	if _, err := a.Inquiries.PostInquiries(ctx, &qnav1.PostInquiriesRequest{Inquiries: []*qnav1.Inquiry{inquiry}}); err != nil {
		return happened{}, refused(err, "body")
	}
	said := apierr.Phrase{
		English: "A customer asked about the product %s.", Korean: "고객이 상품 %s에 대해 문의했습니다.",
	}
	id := inquiry.GetQnaId()
	return happened{said: said.With(inquiry.GetProductName()), qnaID: id, inquiries: []string{id}}, nil
}

// cancelAnswer implements POST /sandbox/v1/qna/{qna_id}/answer-cancellation.
func (a *API) cancelAnswer(ctx context.Context, at scene, body *web.Body) (happened, error) {
	reason, err := memo(body, "reason", "cancelled in the sandbox")
	if err != nil {
		return happened{}, err
	}
	id := strings.ToLower(at.qnaID)
	_, err = a.Inquiries.CancelAnswer(ctx, &qnav1.CancelAnswerRequest{QnaId: id, Operator: operator, Reason: reason})
	return happened{
		said: apierr.Phrase{
			English: "An operator cancelled the answer of the inquiry: it waits for an answer again.",
			Korean:  "운영자가 문의 답변을 취소했습니다. 다시 답변을 기다립니다.",
		},
		qnaID: id, inquiries: []string{id},
	}, refused(err, "reason")
}
