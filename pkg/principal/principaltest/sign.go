// Package principaltest signs requests of tests as the gateway does, and verifies such signatures. The keys are those of package
// trusttest.
package principaltest

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
)

// signer is created once: deriving the shared secrets takes longer than many signatures.
var signer = sync.OnceValues(func() (*principal.Signer, error) {
	return principal.NewSigner(trusttest.Key(trust.Gateway), trusttest.Keys())
})

// Signer returns a signer with the gateway's key.
func Signer(tb testing.TB) *principal.Signer {
	tb.Helper()
	one, err := signer()
	require.NoError(tb, err)
	return one
}

// Verifier returns a verifier for what Signer has signed for a service.
func Verifier(tb testing.TB, service trust.Party) *principal.Verifier {
	tb.Helper()
	verifier, err := principal.NewVerifier(service, trusttest.Key(service), trusttest.Keys())
	require.NoError(tb, err)
	return verifier
}

// Sign sets the signed header of a principal on a client's or server's request to a service. Body and other headers must be
// final.
func Sign(tb testing.TB, to trust.Party, r *http.Request, who principal.Principal) {
	tb.Helper()
	call := principal.Outgoing(r)
	call.Target = cmp.Or(r.RequestURI, call.Target)
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		require.NoError(tb, err)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	r.Header.Set(principal.Header, Signer(tb).Sign(to, call, principal.DigestOf(body), who, time.Now()))
}

// InternalHeaders returns the name of every header that only the gateway may write.
func InternalHeaders() []string {
	return []string{principal.Header, principal.InboxHeader, principal.RowsHeader, principal.ClockHeader}
}
