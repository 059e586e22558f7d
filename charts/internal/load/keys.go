package load

import (
	"context"
	"crypto/sha256"
	"fmt"
)

// KeysOfASeller is the number of keys that a seller may have.
const KeysOfASeller = 5

// Key is an API key and the seller that it belongs to.
type Key struct{ Seller, Text string }

// Issuer registers sellers and issues keys through the gateway's RPC.
type Issuer RPC

// Issue issues at least n keys and returns them. Calling it again with the same number returns the same keys.
func (i Issuer) Issue(ctx context.Context, n int) ([]Key, error) {
	client, gateway := newHTTPClient(i.Dial), RPC(i)
	defer client.CloseIdleConnections()
	var keys []Key
	for seller := 0; len(keys) < n; seller++ {
		id := uuid("seller", seller)
		registration := map[string]any{"sellerId": id, "name": fmt.Sprintf("Load %d", seller), "actor": "load"}
		if err := gateway.call(ctx, client, "gateway.v1.Keys/RegisterSeller", registration, nil); err != nil {
			return nil, err
		}
		for range KeysOfASeller {
			var issued struct{ Text string }
			request := map[string]any{
				"sellerId": id, "scopes": scopes(), "actor": "load",
				"requestId": uuid("key", len(keys)), "purpose": "load",
			}
			if err := gateway.call(ctx, client, "gateway.v1.Keys/IssueKey", request, &issued); err != nil {
				return nil, err
			}
			keys = append(keys, Key{id, issued.Text})
		}
	}
	return keys, nil
}

// uuid returns the nth id of a kind. It is deterministic, so that the test can be repeated on one database.
func uuid(kind string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "load %s %d", kind, n))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
