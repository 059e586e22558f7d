package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

func answerTo(key, id, content string) stacktest.Call {
	body, _ := json.Marshal(map[string]string{"content": content})
	return stacktest.Post(key, "/open/v1/qna/"+id+"/answer", string(body))
}

// An inquiry has the fields of the specification.
func TestInquiryList_specifiedFields(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	asked := stacktest.NewInquiry(seller.ID)
	asked.IsSecret, asked.ImageUrls = true, []string{"https://images.example.com/1.jpg"}
	s.Ask(t, asked)
	page := stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna")))
	require.Nil(t, page.NextCursor)
	got := page.List[0]
	require.Equal(t, stacktest.Inquiry{
		QnaID: asked.GetQnaId(), ProductID: asked.GetProductId(), ProductName: asked.GetProductName(), Category: "product",
		Body: asked.GetBody(), IsSecret: true, MemberDisplayName: "김**", Status: "waiting", ImageURLs: asked.GetImageUrls(),
		CreatedAt: asked.GetCreatedAt().AsTime().Format("2006-01-02T15:04:05.000000Z"), UpdatedAt: got.UpdatedAt,
	}, got)
}

func TestAnswer_repeatedContentConverges(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	asked := stacktest.NewInquiry(seller.ID)
	s.Ask(t, asked)
	id := asked.GetQnaId()
	first := stacktest.RequireOK[stacktest.AnswerResult](t, s.Do(t, answerTo(seller.Key, id, "네,\n됩니다")))
	require.Equal(t, stacktest.AnswerResult{
		QnaID: id, Status: "answered", AnsweredAt: first.AnsweredAt, UpdatedAt: first.AnsweredAt,
	}, first)
	for _, same := range []string{"네,\n됩니다", " 네,\r\n됩니다\n", "\u1102\u1166,\n\u1103\u116c\u11b8\u1102\u1175\u1103\u1161"} {
		again := stacktest.RequireOK[stacktest.AnswerResult](t, s.Do(t, answerTo(seller.Key, id, same)))
		require.True(t, again.Converged, "%q", same)
		require.Equal(t, first.UpdatedAt, again.UpdatedAt)
	}
	stacktest.RequireFailure(t, s.Do(t, answerTo(seller.Key, id, "아니요")), http.StatusConflict, "QNA_ALREADY_ANSWERED")
	page := stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t,
		s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna", "status", "answered")))
	require.Equal(t, "네,\n됩니다", page.List[0].Answer.Content)

	s.CancelAnswer(t, id)
	waiting := stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t,
		s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna", "status", "waiting")))
	require.Nil(t, waiting.List[0].Answer)
	second := stacktest.RequireOK[stacktest.AnswerResult](t, s.Do(t, answerTo(seller.Key, id, "아니요")))
	require.False(t, second.Converged)
	require.Greater(t, second.UpdatedAt, first.UpdatedAt)
}

func TestAnswer_problemsNamed(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	a, b := s.Seller(t), s.Seller(t)
	own, foreign := stacktest.NewInquiry(a.ID), stacktest.NewInquiry(b.ID)
	s.Ask(t, own, foreign)
	for _, id := range []string{uuid.NewString(), "not-a-uuid", foreign.GetQnaId(), strings.Repeat("a", 65), "%00"} {
		for _, body := range []string{`{"content":"네"}`, `{`} { // the id is checked first
			call := stacktest.Post(a.Key, "/open/v1/qna/"+id+"/answer", body)
			if body == "{" && (id == foreign.GetQnaId() || len(id) == 36) {
				continue // a well-formed id is looked up after the body was read
			}
			stacktest.RequireFailure(t, s.Do(t, call), http.StatusNotFound, "QNA_NOT_FOUND")
		}
	}
	for _, body := range []string{
		`{}`, `{"content":null}`, `{"content":7}`, `{"content":""}`, `{"content":" \n "}`,
		`{"content":"네\u0007"}`, `{"content":"` + strings.Repeat("가", 4001) + `"}`,
	} {
		stacktest.RequireInvalid(t, s.Do(t, stacktest.Post(a.Key, "/open/v1/qna/"+own.GetQnaId()+"/answer", body)), "content")
	}
	stacktest.RequireOK[stacktest.AnswerResult](t, s.Do(t, answerTo(a.Key, own.GetQnaId(), strings.Repeat("가", 4000))))
}

// Inquiries are paged and filtered like other lists.
func TestInquiryList_pagedAndFiltered(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	inquiries := make([]*qnav1.Inquiry, 23)
	for i := range inquiries {
		inquiries[i] = stacktest.NewInquiry(seller.ID)
	}
	s.Ask(t, inquiries...)
	stacktest.RequireOK[stacktest.AnswerResult](t, s.Do(t, answerTo(seller.Key, inquiries[3].GetQnaId(), "네")))
	seen, query := map[string]bool{}, []string{"limit", "5", "status", "waiting"}
	for {
		page := stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna", query...)))
		for _, inquiry := range page.List {
			require.False(t, seen[inquiry.QnaID])
			seen[inquiry.QnaID] = true
		}
		if page.NextCursor == nil {
			break
		}
		query = []string{"limit", "5", "cursor", *page.NextCursor}
	}
	require.Len(t, seen, 22)
	answered := stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t,
		s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna", "status", "answered")))
	require.Len(t, answered.List, 1)
	since := stacktest.RequireOK[stacktest.Page[stacktest.Inquiry]](t,
		s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna", "updated_at_gte", answered.List[0].UpdatedAt)))
	require.Equal(t, answered.List, since.List)
	for parameter, value := range map[string]string{"status": "open", "updated_at_lte": "today", "limit": "0", "category": "etc"} {
		stacktest.RequireInvalid(t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna", parameter, value)), "query."+parameter)
	}
}

// The response of a call is replayed byte for byte, and inquiries count toward the row budget.
func TestInquiry_replayedAnswerAndRowCount(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	inquiries := []*qnav1.Inquiry{stacktest.NewInquiry(seller.ID), stacktest.NewInquiry(seller.ID), stacktest.NewInquiry(seller.ID)}
	s.Ask(t, inquiries...)
	list := s.Do(t, stacktest.Get(seller.Key, "/open/v1/qna", "limit", "50"))
	require.Equal(t, "2997", list.Header.Get("X-Ratelimit-Rows-Remaining"))
	call := answerTo(seller.Key, inquiries[0].GetQnaId(), "네")
	first, again := s.Do(t, call), s.Do(t, call)
	require.Empty(t, first.Header.Get("Idempotent-Replayed"))
	require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"))
	require.Equal(t, first.Body, again.Body)
	call.Body = []byte(`{"content":"아니요"}`)
	stacktest.RequireFailure(t, s.Do(t, call), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
}
