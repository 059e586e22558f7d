package stack

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"time"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
)

// Token returns the marketplace core's credential for the services' RPC, which is valid for the given time.
func (s *Stack) Token(life time.Duration) string { return s.TokenFor(rpc.CallerMarketplace, life) }

// TokenFor returns a credential of another caller of the access table, for all services in which that caller may call any
// method. It panics when the issuer may not sign one for that caller or with that lifetime.
func (s *Stack) TokenFor(caller string, life time.Duration) string {
	party := trust.Issuer
	if caller == rpc.CallerClaims || caller == rpc.CallerSandbox { // they sign their own tokens
		party = trust.Party(caller)
	}
	token, err := rpc.NewToken(rpc.Identity{
		Party: party, Key: s.plan.keys.private[party], Caller: caller,
		Audience: rpc.Audience(caller),
	}, life)
	if err != nil {
		panic(err) // the callers are constants of this module
	}
	return token.Text
}

// Intake returns a client of the orders service's intake at the address.
func Intake(address, token string, dial ...certificate.Dial) ordersv1connect.IntakeClient {
	return ordersv1connect.NewIntakeClient(newHTTPClient(dial), address, bearer(token))
}

// ClaimIntake returns a client of the claims service's intake at the address.
func ClaimIntake(address, token string, dial ...certificate.Dial) claimsv1connect.IntakeClient {
	return claimsv1connect.NewIntakeClient(newHTTPClient(dial), address, bearer(token))
}

// Inquiries returns a client of the qna service's intake at the address.
func Inquiries(address, token string, dial ...certificate.Dial) qnav1connect.IntakeClient {
	return qnav1connect.NewIntakeClient(newHTTPClient(dial), address, bearer(token))
}

// Keys returns a client of the gateway's key RPC at the address.
func Keys(address, token string, dial ...certificate.Dial) gatewayv1connect.KeysClient {
	return gatewayv1connect.NewKeysClient(newHTTPClient(dial), address, bearer(token))
}

// Webhooks returns a client of the gateway's webhook RPC at the address.
func Webhooks(address, token string, dial ...certificate.Dial) gatewayv1connect.WebhooksClient {
	return gatewayv1connect.NewWebhooksClient(newHTTPClient(dial), address, bearer(token))
}

// Requests returns a client of the gateway's request log RPC at the address.
func Requests(address, token string, dial ...certificate.Dial) gatewayv1connect.RequestsClient {
	return gatewayv1connect.NewRequestsClient(newHTTPClient(dial), address, bearer(token))
}

// newHTTPClient returns a client that keeps more idle connections than the default of two, for concurrent calls. The dial
// function, if any, trusts the certificate authority of services with TLS.
func newHTTPClient(dial []certificate.Dial) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute}
	for _, secured := range dial {
		transport.DialTLSContext = secured
	}
	return &http.Client{Transport: transport}
}

// timeout is how long an unanswered call is retried, as on a busy machine, and pause the time between two attempts. Every
// call of the marketplace is idempotent.
const (
	timeout = 30 * time.Second
	pause   = 200 * time.Millisecond
)

// bearer adds the credential to every call, and retries unanswered calls.
func bearer(token string) connect.ClientOption {
	return connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
			request.Header().Set("Authorization", "Bearer "+token)
			for until := time.Now().Add(timeout); ; {
				answer, err := next(ctx, request)
				if !isUnanswered(err) || time.Now().After(until) {
					return answer, err
				}
				select {
				case <-ctx.Done():
					return answer, err
				case <-time.After(pause):
				}
			}
		}
	}))
}

// A call to a server whose certificate is refused was not sent, and a retry would not be either.
func isUnanswered(err error) bool {
	code := connect.CodeOf(err)
	return err != nil && !errors.As(err, new(*tls.CertificateVerificationError)) &&
		(code == connect.CodeUnavailable || code == connect.CodeDeadlineExceeded)
}
