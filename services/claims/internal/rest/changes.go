package rest

import (
	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/claims/internal/claim"
)

// Changes returns the list as the marketplace follows it.
func (a *API) Changes() changes.List[claim.Listed] {
	return changes.List[claim.Listed]{
		Name: listName, Cursors: a.Cursors, Forward: a.Claims.Forward,
		Position: func(c *claim.Listed) paging.Position { return paging.Position{UpdatedAt: c.UpdatedAt, ID: c.ID} },
		View:     func(c *claim.Listed) ([]byte, error) { return claimView{&c.Claim}.AppendJSON(nil), nil },
	}
}
