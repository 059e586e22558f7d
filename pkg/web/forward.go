package web

import (
	"errors"
	"strconv"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/timestamp"
)

const (
	afterParam = "after"
	waitParam  = "wait"
)

// MaxWait is the most seconds that a call may wait.
const MaxWait = 25

// forward answers with the page after a position. The next position is part of every such page, also of an empty one.
func (list *ListOperation[F, R]) forward(c *gin.Context, q *Query, cursors *paging.Signer) (any, error) {
	seller := Caller(c).SellerID
	after, limit, err := list.readForward(q, cursors, seller.String())
	if err != nil {
		return nil, err
	}
	page, err := list.Forward(c.Request.Context(), seller, after, limit)
	if err != nil {
		return nil, err
	}
	countRows(c, len(page.Rows))
	if len(page.Rows) == 0 {
		c.Header(principal.ClockHeader, strconv.FormatInt(max(0, page.Clock.UnixMicro()), 10))
	}
	data := listData{
		elements: list.View(page.Rows, Language(c)),
		after:    cursors.SignPosition(seller.String(), list.Name, page.End),
	}
	if page.More {
		data.nextCursor = data.after
	}
	return data, nil
}

// readForward reads a request for a page after a position. A record that leaves a filter would vanish from what a client goes on
// with, so there is none.
func (list *ListOperation[F, R]) readForward(q *Query, cursors *paging.Signer, seller string) (paging.Position, int, error) {
	limit := q.Limit()
	for _, name := range list.Filters {
		q.refuse(name, apierr.FilterWithAfter)
	}
	q.refuse(cursorParam, apierr.CursorWithAfter)
	q.wait()
	text, _ := q.lookup(afterParam)
	position, err := cursors.After(seller, list.Name, text, timestamp.Parse)
	if malformed := timestamp.Problem(""); errors.As(err, &malformed) {
		q.problems.Note(queryField(afterParam), apierr.FieldMalformed, timestamp.Phrase(err))
	}
	if refused := q.Err(); refused != nil {
		return paging.Position{}, 0, refused
	}
	return position, limit, err
}

// isForward reports whether the request has a position, be it a valid one.
func (q *Query) isForward() bool {
	_, sent := q.values[afterParam]
	return sent
}

// refuse adds a problem for a parameter that was sent.
func (q *Query) refuse(name string, why apierr.Phrase) {
	if _, sent := q.values[name]; sent {
		q.problems.Note(queryField(name), apierr.FieldNotAllowed, why)
	}
}

// wait checks for how many seconds the gateway may hold the call. The service itself never waits.
func (q *Query) wait() {
	value, ok := q.lookup(waitParam)
	if !ok {
		return
	}
	if !isInteger(value) {
		q.problems.Note(queryField(waitParam), apierr.FieldType, apierr.NotInteger)
		return
	}
	seconds, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		seconds = 0 // an integer that does not fit is far outside
	}
	q.problems.Number(queryField(waitParam), seconds, 1, MaxWait)
}
