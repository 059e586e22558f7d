package up

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// A machine that is busy while the system starts does not make the start fail.
func TestNewestOrder_busyGatewayAskedAgain(t *testing.T) {
	t.Parallel()
	answers := map[int]string{1: "", 2: `{"data":{"list":[{"order_no":"O-7"}]}}`}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		if answers[asked] == "" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = w.Write([]byte(answers[asked]))
	}))
	t.Cleanup(server.Close)
	newest, err := (&marketplace{gateway: server.URL}).newestOrder(t.Context(), "key")
	require.NoError(t, err)
	require.Equal(t, "O-7", newest)
	require.Equal(t, 2, asked)
}
