package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/services/allinone/stack/stacktest"
)

// Generators of clients and people fetch the contract where they call; who has it already is told so.
func TestTheContractIsServedWithoutAKey(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for path, document := range map[string]openapi.Document{
		"/open/v1/openapi.json": openapi.JSON(), "/open/v1/openapi.yaml": openapi.YAML(),
	} {
		call := stacktest.Call{Path: path}
		answer := s.Raw(t, call)
		require.Equal(t, http.StatusOK, answer.Status)
		require.Equal(t, string(document.Bytes()), string(answer.Body))
		call.Header = http.Header{"If-None-Match": {answer.Header.Get("Etag")}}
		again := s.Raw(t, call)
		require.Equal(t, http.StatusNotModified, again.Status)
		require.Empty(t, again.Body)
	}
}
