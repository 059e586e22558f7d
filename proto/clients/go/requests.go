package sellerapi

import (
	"context"
	"iter"
)

// ListRequests reads one page of the seller's calls, latest first. Requests reads all pages. A page may have fewer calls than the
// limit, or none, and be followed by another.
func (c *Client) ListRequests(ctx context.Context, filter LoggedRequestFilter, options ...CallOption) (LoggedRequestList, error) {
	return read[LoggedRequestList](ctx, c, listRequests, "", queryOf(filter), options)
}

// Requests iterates over all calls that match the filter, latest first, reading page after page. An error is the last element.
// After CodeInvalidCursor start again.
func (c *Client) Requests(
	ctx context.Context, filter LoggedRequestFilter, options ...CallOption,
) iter.Seq2[LoggedRequest, error] {
	return walk(place{cursor: filter.Cursor}, func(at place) (LoggedRequestList, error) {
		filter.Cursor = at.cursor
		return c.ListRequests(ctx, filter, options...)
	})
}
