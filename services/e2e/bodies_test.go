package e2e

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Reading a body that does not arrive times out, for every operation.
func TestBody_408OfEveryOperation(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, operation := range operations {
		if operation.processes() {
			t.Run(operation.name, func(t *testing.T) {
				t.Parallel()
				call := operation.call(d.seller.Key, "N", uuid.NewString())
				call.Body = []byte("{") // half of what is announced
				require.Equal(t, http.StatusRequestTimeout, d.halfAnswered(t, call).Status)
			})
		}
	}
}
