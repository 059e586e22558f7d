package rest

import (
	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// Changes returns the list as the marketplace follows it.
func (a *API) Changes() changes.List[inquiry.Inquiry] {
	return changes.List[inquiry.Inquiry]{
		Name: listName, Cursors: a.Cursors, Forward: a.Inquiries.Forward,
		Position: func(i *inquiry.Inquiry) paging.Position { return paging.Position{UpdatedAt: i.UpdatedAt, ID: i.QnaID} },
		View:     func(i *inquiry.Inquiry) ([]byte, error) { return web.Marshal(viewInquiry(i)) },
	}
}
