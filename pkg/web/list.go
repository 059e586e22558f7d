package web

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/principal"
)

// ListOperation defines a list operation. F is its filter, R a row.
type ListOperation[F, R any] struct {
	// Name binds cursors to the list.
	Name string
	// Filters are the query parameters other than limit and cursor.
	Filters []string
	// Read reads the filters. Problems of single parameters go into the query; the
	// error is a refusal of parameters that do not go together, and counts only
	// where there are no such problems. With a cursor it runs again, on the filters
	// of the walk.
	Read func(q *Query) (F, error)
	// Page returns at most limit rows, newest change first, after the position or,
	// when that is nil, from the newest on.
	Page func(ctx context.Context, seller uuid.UUID, filter F, after *paging.Position, limit int) (paging.Page[R], error)
	// Forward returns at most limit rows in the order of the changes, oldest first,
	// after the position. It knows no filter.
	Forward func(ctx context.Context, seller uuid.UUID, after paging.Position, limit int) (paging.ForwardPage[R], error)
	// View returns the elements as they are encoded, with texts in the language of the client.
	View func(rows []R, lang apierr.Lang) any
}

// HandleList returns the handler of a list: it reads cursor, limit and filters,
// reports the number of rows for the seller's row budget, and answers with the
// elements and the cursor of the next page, which is null on the last one. With
// the parameter after it reads forwards instead.
//
// VALIDATION_ERROR, INVALID_CURSOR, and what Read and Page return.
func HandleList[F, R any](cursors *paging.Signer, list ListOperation[F, R]) gin.HandlerFunc {
	parameters := append(slices.Clone(list.Filters), limitParam, cursorParam, afterParam, waitParam)
	return Handle(func(c *gin.Context) (any, error) {
		countRows(c, 0)
		q := ParseQuery(c, parameters...)
		if q.isForward() {
			return list.forward(c, q, cursors)
		}
		q.refuse(waitParam, apierr.WaitWithoutAfter)
		data, rows, err := list.page(c, q, cursors)
		countRows(c, rows)
		return data, err
	})
}

// ReadList returns the page of a list that is not read forwards, with the number of its rows, to be returned in a handler of
// Handle. The caller of the request must be in its context. Errors: those of HandleList.
func ReadList[F, R any](c *gin.Context, cursors *paging.Signer, list *ListOperation[F, R]) (data any, rows int, err error) {
	return list.page(c, ParseQuery(c, append(slices.Clone(list.Filters), limitParam, cursorParam)...), cursors)
}

// page returns the page of a query, and the number of its rows.
func (list *ListOperation[F, R]) page(c *gin.Context, q *Query, cursors *paging.Signer) (any, int, error) {
	seller := Caller(c).SellerID
	filter, after, limit, err := readList(q, cursors, list, seller.String())
	if err != nil {
		return nil, 0, err
	}
	page, err := list.Page(c.Request.Context(), seller, filter, after, limit)
	if err != nil {
		return nil, 0, err
	}
	data := listData{elements: list.View(page.Rows, Language(c))}
	if page.Next != nil {
		scope := paging.Scope{SellerID: seller.String(), List: list.Name, Filters: q.Sent()}
		data.nextCursor = cursors.Sign(scope, *page.Next)
	}
	return data, len(page.Rows), nil
}

// readList reads a request for a page. With a cursor the filters are those of the
// walk that it belongs to, sent again or not.
func readList[F, R any](q *Query, cursors *paging.Signer, list *ListOperation[F, R],
	seller string,
) (filter F, after *paging.Position, limit int, err error) {
	limit = q.Limit()
	cursor := q.Cursor()
	filter, refusal := list.Read(q)
	if err := q.Err(); err != nil {
		return filter, nil, 0, err
	}
	if cursor != "" {
		filters, position, err := cursors.Open(seller, list.Name, q.Sent(), cursor)
		if err != nil {
			return filter, nil, 0, err
		}
		q.Resume(filters)
		filter, refusal = list.Read(q)
		if err := q.Err(); err != nil {
			return filter, nil, 0, err
		}
		after = &position
	}
	return filter, after, limit, refusal
}

// HandleDetail returns the handler of one record, which is named by a path
// parameter. missing is the error for a name that no record can have. The error
// of find is returned unchanged.
func HandleDetail[R any](parameter string, missing apierr.Code,
	find func(ctx context.Context, seller uuid.UUID, name string) (R, error), view func(R, apierr.Lang) any,
) gin.HandlerFunc {
	return Handle(func(c *gin.Context) (any, error) {
		countRows(c, 0)
		if err := ParseQuery(c).Err(); err != nil {
			return nil, err
		}
		name, ok := PathValue(c, parameter)
		if !ok {
			return nil, missing
		}
		found, err := find(c.Request.Context(), Caller(c).SellerID, name)
		if err != nil {
			return nil, err
		}
		countRows(c, 1)
		return view(found, Language(c)), nil
	})
}

// Caller returns the principal of the request. It panics outside of a registered operation.
func Caller(c *gin.Context) principal.Principal {
	return principal.MustFromContext(c.Request.Context())
}

// countRows reports the number of rows in the response to the gateway, for the
// seller's row budget.
func countRows(c *gin.Context, rows int) { c.Header(principal.RowsHeader, strconv.Itoa(rows)) }

type listData struct {
	elements any
	// nextCursor is empty on the last page. It needs no escaping: it is base64url.
	nextCursor string
	// after is the position after a page that is read forwards, base64url as well; else empty.
	after string
}

func (d listData) encodeInto(buffer *bytes.Buffer) error {
	buffer.WriteString(`{"list":`)
	if err := encodeInto(buffer, d.elements); err != nil {
		return err
	}
	if d.nextCursor == "" {
		buffer.WriteString(`,"next_cursor":null`)
	} else {
		buffer.WriteString(`,"next_cursor":"` + d.nextCursor + `"`)
	}
	if d.after != "" {
		buffer.WriteString(`,"after":"` + d.after + `"`)
	}
	buffer.WriteByte('}')
	return nil
}
