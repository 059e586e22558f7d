package load

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"sellerapi.dev/pkg/certificate"
)

// KeysOfASeller is how many keys a seller may hold.
const KeysOfASeller = 5

// Issuer makes sellers and keys over the gateway's RPC.
type Issuer struct {
	// URL is the address of the RPC port.
	URL string
	// Token is the credential, as printed by `gateway token`.
	Token string
	// Dial opens the connections of an https URL; nil where there is none.
	Dial certificate.Dial
}

// Issue makes at least n keys and returns them. The same number gives the same sellers and keys again.
func (i Issuer) Issue(ctx context.Context, n int) ([]string, error) {
	client := newHTTPClient(i.Dial)
	defer client.CloseIdleConnections()
	var keys []string
	for seller := 0; len(keys) < n; seller++ {
		id := uuid("seller", seller)
		if err := i.call(ctx, client, "RegisterSeller", map[string]any{"sellerId": id, "name": fmt.Sprintf("Load %d", seller), "actor": "load"}, nil); err != nil {
			return nil, err
		}
		for range KeysOfASeller {
			var issued struct{ Text string }
			request := map[string]any{"sellerId": id, "scopes": scopes(), "actor": "load", "requestId": uuid("key", len(keys)), "purpose": "load"}
			if err := i.call(ctx, client, "IssueKey", request, &issued); err != nil {
				return nil, err
			}
			keys = append(keys, issued.Text)
		}
	}
	return keys, nil
}

// call makes one call in the JSON form of the RPC.
func (i Issuer) call(ctx context.Context, client *http.Client, method string, body, into any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, i.URL+"/gateway.v1.Keys/"+method, bytes.NewReader(content))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+i.Token)
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	content, err = io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %d %s", method, answer.StatusCode, content)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(content, into)
}

// uuid is the nth id of a kind: always the same, so that the test may be repeated on one database.
func uuid(kind string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "load %s %d", kind, n))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
