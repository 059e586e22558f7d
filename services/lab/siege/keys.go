package siege

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/allinone/stack"
)

const keysOfSeller = 5

const actor = "siege"

var (
	everything = []string{"orders:read", "orders:write"}
	reading    = []string{"orders:read"}
)

type keys struct {
	// worst belongs to the seller with the most orders, limited is for calls over the limit.
	worst, limited string
	// greedy are for unfinished bodies, one for each round, whose calls reach its limits.
	greedy []string
	// narrow lacks the scope, revoked has been revoked.
	narrow, revoked string
	// crowd fills the memory for bodies, bystander makes calls meanwhile.
	crowd     []string
	bystander string
	neighbors []string
}

func (s *siege) issue(ctx context.Context) (k keys, err error) {
	env := s.system.Env
	issuer := &issuer{client: stack.Keys(env.KeysRPCURL, env.RPCToken)}
	k.worst = env.SellerAKey
	for range s.Rounds {
		k.greedy = append(k.greedy, issuer.next(ctx, everything))
	}
	for _, into := range []*string{&k.limited, &k.bystander} {
		*into = issuer.next(ctx, everything)
	}
	k.narrow, k.revoked = issuer.next(ctx, reading), issuer.next(ctx, everything)
	issuer.revoke(ctx)
	for range crowd {
		k.crowd = append(k.crowd, issuer.next(ctx, everything))
	}
	for range s.Neighbors {
		k.neighbors = append(k.neighbors, issuer.next(ctx, everything))
	}
	return k, issuer.err
}

// issuer issues keys and registers sellers for them. After an error it issues no more.
type issuer struct {
	client gatewayv1connect.KeysClient
	seller string
	issued int
	last   *gatewayv1.IssueKeyResponse
	err    error
}

func (i *issuer) next(ctx context.Context, scopes []string) string {
	if i.err == nil && i.issued%keysOfSeller == 0 {
		i.seller = uuid.NewString()
		_, i.err = i.client.RegisterSeller(ctx, &gatewayv1.RegisterSellerRequest{
			SellerId: i.seller, Name: fmt.Sprintf("Siege %d", i.issued), Actor: actor,
		})
	}
	if i.err != nil {
		return ""
	}
	response, err := i.client.IssueKey(ctx, &gatewayv1.IssueKeyRequest{
		SellerId: i.seller, Scopes: scopes, Purpose: actor, Actor: actor, RequestId: uuid.NewString(),
	})
	if i.err = err; err != nil {
		return ""
	}
	i.issued++
	i.last = response
	return response.GetText()
}

func (i *issuer) revoke(ctx context.Context) {
	if i.err != nil {
		return
	}
	_, i.err = i.client.RevokeKey(ctx, &gatewayv1.RevokeKeyRequest{
		SellerId: i.seller, KeyId: i.last.GetKey().GetKeyId(), Actor: actor,
	})
}
