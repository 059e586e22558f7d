package rest

import (
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/store"
)

// listName binds cursors to this list.
const listName = "qna"

// The query parameters of the list.
const (
	statusParam       = "status"
	updatedAtGTEParam = "updated_at_gte"
	updatedAtLTEParam = "updated_at_lte"
)

// listRequest is what a client asks of the list.
type listRequest struct {
	filter inquiry.Filter
	// sent are the filters in the form that cursors carry.
	sent  map[string]string
	after *paging.Position
	limit int
}

// list answers GET /open/v1/qna.
func (h *Handlers) list(c *gin.Context) (any, error) {
	seller := principal.MustFromContext(c.Request.Context()).SellerID
	request, err := h.readList(c, seller)
	if err != nil {
		return nil, err
	}
	page, err := h.inquiries.List(c.Request.Context(), seller, request.filter, request.after, request.limit)
	if err != nil {
		return nil, err
	}
	c.Header(principal.RowsHeader, strconv.Itoa(len(page.Inquiries)))
	return listView{List: viewInquiries(page.Inquiries), NextCursor: h.nextCursor(seller, request, page)}, nil
}

// nextCursor is where the next page begins; nil on the last page.
func (h *Handlers) nextCursor(seller uuid.UUID, request listRequest, page store.Page) *string {
	if !page.More {
		return nil
	}
	last := page.Inquiries[len(page.Inquiries)-1]
	scope := paging.Scope{SellerID: seller.String(), List: listName, Filters: request.sent}
	cursor := h.cursors.Seal(scope, paging.Position{UpdatedAt: last.UpdatedAt, ID: last.ID})
	return &cursor
}

// readList reads the query. Filters that a client leaves out on a later page are those of its cursor.
func (h *Handlers) readList(c *gin.Context, seller uuid.UUID) (listRequest, error) {
	q := web.ParseQuery(c, statusParam, updatedAtGTEParam, updatedAtLTEParam, "limit", "cursor")
	request := listRequest{filter: readFilter(q), limit: q.Limit()}
	cursor := q.Cursor()
	if err := q.Err(); err != nil {
		return listRequest{}, err
	}
	if cursor != "" {
		filters, position, err := h.cursors.Open(seller.String(), listName, q.Sent(), cursor)
		if err != nil {
			return listRequest{}, err
		}
		q.Resume(filters)
		request.filter, request.after = readFilter(q), &position
		if err := q.Err(); err != nil {
			return listRequest{}, err
		}
	}
	request.sent = q.Sent()
	return request, nil
}

// readFilter reads the filters.
func readFilter(q *web.Query) inquiry.Filter {
	status := q.Enum(statusParam, inquiry.StatusNames())
	from, until := q.Range(updatedAtGTEParam, updatedAtLTEParam)
	return inquiry.Filter{Status: inquiry.Status(status), Updated: inquiry.Range{From: from, Until: until}}
}
