package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"sellerapi.dev/pkg/certificate"
)

// RPC is the RPC port of a service and how to connect to it.
type RPC struct {
	// URL is the address of the port.
	URL string
	// Token is the credential, as printed by `gateway token`.
	Token string
	// Dial opens the connections to an https URL; nil means the default.
	Dial certificate.Dial
}

// call makes one call in the JSON encoding of the RPC and decodes the response into the value of into, unless that is nil.
func (r RPC) call(ctx context.Context, client *http.Client, method string, body, into any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL+"/"+method, bytes.NewReader(content))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+r.Token)
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
