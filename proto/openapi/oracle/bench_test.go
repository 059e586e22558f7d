package oracle_test

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi/oracle"
)

// An oracle that is slow would be left out of the tests that send the most.
func BenchmarkCheckOfAPage(b *testing.B) {
	judge, err := oracle.New()
	require.NoError(b, err)
	answer := orders(b)
	body, err := json.Marshal(answer.body)
	require.NoError(b, err)
	r := httptest.NewRequestWithContext(b.Context(), answer.method, answer.target, nil)
	for b.Loop() {
		if _, err := judge.Check(r, answer.status, answer.header, body); err != nil {
			b.Fatal(err)
		}
	}
}
