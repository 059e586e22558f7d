package rest

import (
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// listName binds cursors to this list.
const listName = "claims"

// listParams are the query parameters of the list.
var listParams = []string{
	"type", "status", "requested_at_gte", "requested_at_lte", "updated_at_gte", "updated_at_lte", "limit", "cursor",
}

// listRequest is what a client asks of the list.
type listRequest struct {
	filter claim.Filter
	// sent are the filters in the form that cursors carry.
	sent  map[string]string
	after *paging.Position
	limit int
}

// list answers GET /open/v1/claims.
func (r *Reads) list(c *gin.Context) (any, error) {
	seller := principal.MustFromContext(c.Request.Context()).SellerID
	request, err := r.readList(c, seller)
	if err != nil {
		return nil, err
	}
	page, err := r.claims.List(c.Request.Context(), seller, request.filter, request.after, request.limit)
	if err != nil {
		return nil, err
	}
	c.Header(principal.RowsHeader, strconv.Itoa(len(page.Claims)))
	return listView{List: viewClaims(page.Claims), NextCursor: r.nextCursor(seller, request, page)}, nil
}

// nextCursor is where the next page begins; nil on the last page.
func (r *Reads) nextCursor(seller uuid.UUID, request listRequest, page store.Page) *string {
	if !page.More {
		return nil
	}
	last := page.Claims[len(page.Claims)-1]
	scope := paging.Scope{SellerID: seller.String(), List: listName, Filters: request.sent}
	cursor := r.cursors.Seal(scope, paging.Position{UpdatedAt: last.UpdatedAt, ID: last.ID})
	return &cursor
}

// readList reads the query. Filters that a client leaves out on a later page are those of its cursor.
func (r *Reads) readList(c *gin.Context, seller uuid.UUID) (listRequest, error) {
	q := web.ParseQuery(c, listParams...)
	request := listRequest{filter: readFilter(q), limit: q.Limit()}
	cursor := q.Cursor()
	if err := q.Err(); err != nil {
		return listRequest{}, err
	}
	if cursor != "" {
		filters, position, err := r.cursors.Open(seller.String(), listName, q.Sent(), cursor)
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
func readFilter(q *web.Query) claim.Filter {
	filter := claim.Filter{
		Type:   claim.Type(q.Enum("type", claim.Names(claim.Types()))),
		Status: claim.Status(q.Enum("status", claim.Names(claim.Statuses()))),
	}
	filter.Requested.From, filter.Requested.Until = q.Range("requested_at_gte", "requested_at_lte")
	filter.Updated.From, filter.Updated.Until = q.Range("updated_at_gte", "updated_at_lte")
	return filter
}
