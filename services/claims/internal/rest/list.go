package rest

import (
	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/claims/internal/claim"
)

// listName binds cursors to this list.
const listName = "claims"

var listFilters = []string{"type", "status", "requested_at_gte", "requested_at_lte", "updated_at_gte", "updated_at_lte"}

// list serves GET /open/v1/claims.
func (a *API) list() gin.HandlerFunc {
	return web.HandleList(a.Cursors, web.ListOperation[claim.Filter, claim.Listed]{
		Name: listName, Filters: listFilters, Read: readFilter,
		Page: a.Claims.List, Forward: a.Claims.Forward,
		View: func(rows []claim.Listed, _ apierr.Lang) any { return claimsView(rows) },
	})
}

func readFilter(q *web.Query) (claim.Filter, error) {
	filter := claim.Filter{
		Type:   claim.Type(q.Enum("type", invalid.Names(claim.Types()))),
		Status: claim.Status(q.Enum("status", invalid.Names(claim.Statuses()))),
	}
	filter.Requested.From, filter.Requested.Until = q.Range("requested_at_gte", "requested_at_lte")
	filter.Updated.From, filter.Updated.Until = q.Range("updated_at_gte", "updated_at_lte")
	return filter, nil
}
