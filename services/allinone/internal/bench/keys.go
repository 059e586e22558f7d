package bench

import (
	"context"
	"fmt"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/allinone/internal/envfile"
	"sellerapi.dev/services/allinone/stack"
)

// keysMost is how many keys a seller may hold.
const keysMost = 5

// issueKeys returns all the keys that seller A can have, so that the load does not queue for the limits of
// one of them.
func issueKeys(ctx context.Context, env envfile.Values) ([]string, error) {
	client := stack.Keys(env.KeysRPCURL, env.RPCToken)
	keys := []string{env.SellerAKey}
	for len(keys) < keysMost {
		answer, err := client.IssueKey(ctx, connect.NewRequest(&gatewayv1.IssueKeyRequest{
			SellerId: env.SellerAID, Scopes: []string{"orders:read", "orders:write"}, Purpose: "benchmark", Actor: "benchmark", RequestId: uuid.NewString(),
		}))
		if err != nil {
			return nil, fmt.Errorf("issue a key: %w", err)
		}
		keys = append(keys, answer.Msg.GetText())
	}
	return keys, nil
}
