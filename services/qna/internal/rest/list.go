package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// listName binds cursors to this list.
const listName = "qna"

const (
	statusParam       = "status"
	updatedAtGTEParam = "updated_at_gte"
	updatedAtLTEParam = "updated_at_lte"
)

// list implements GET /open/v1/qna.
func (a *API) list() gin.HandlerFunc {
	return web.HandleList(a.Cursors, web.ListOperation[inquiry.Filter, inquiry.Inquiry]{
		Name: listName, Filters: []string{statusParam, updatedAtGTEParam, updatedAtLTEParam}, Read: readFilter,
		Page: a.Inquiries.List, Forward: a.Inquiries.Forward,
		View: func(inquiries []inquiry.Inquiry, _ apierr.Lang) any { return viewInquiries(inquiries) },
	})
}

func readFilter(q *web.Query) (inquiry.Filter, error) {
	status := q.Enum(statusParam, inquiry.StatusNames())
	from, until := q.Range(updatedAtGTEParam, updatedAtLTEParam)
	return inquiry.Filter{Status: inquiry.Status(status), Updated: inquiry.Range{From: from, Until: until}}, nil
}
