package rest_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/claims/internal/claim"
)

// BenchmarkListPage serves a page of 50 returns with two items each, approved and picked up, from the signed request to the last
// byte.
//
//	go test ./internal/rest -run '^$' -bench ListPage -benchtime 1000x -cpuprofile cpu.out
func BenchmarkListPage(b *testing.B) {
	f, seller := setup(b), uuid.New()
	for range 60 {
		f.advance(b, f.openOne(b, seller, claim.Return), 2)
	}
	_, err := f.Pool.Exec(b.Context(), "analyze")
	require.NoError(b, err)
	who := principal.Principal{SellerID: seller, Scopes: principal.All()}
	b.ReportAllocs()
	for b.Loop() {
		request := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/open/v1/claims", nil)
		principaltest.Sign(b, trust.Claims, request, who)
		recorder := httptest.NewRecorder()
		f.engine.ServeHTTP(recorder, request)
		require.Equal(b, http.StatusOK, recorder.Code)
	}
}
