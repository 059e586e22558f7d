package e2e

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// Every operation exists, on its path and with its method, with and without a record to work on: the response
// is the envelope, and its status is neither 405 nor a server error.
func TestEveryOperationAnswers(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	s.PermitCorrection(t, seller.ID, true)
	order := s.PlaceNew(t, seller.ID)
	require.NotEmpty(t, operations)
	for _, operation := range operations {
		for _, id := range []string{order.GetOrderNo(), uuid.NewString()} {
			answer := s.Do(t, operation.call(seller.Key, id, order.GetSellers()[0].GetLines()[0].GetItemId()))
			require.NotEqual(t, http.StatusMethodNotAllowed, answer.Status, "%s %s", operation.method, operation.path)
			require.Less(t, answer.Status, http.StatusInternalServerError, "%s %s: %s", operation.method, operation.path, answer.Body)
			require.NotEmpty(t, answer.Header.Get("X-Ratelimit-Limit"), "%s %s", operation.method, operation.path)
		}
	}
}
