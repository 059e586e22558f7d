package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

var errNotRead = errors.New("a read failed")

// Over returns a function that reads from the gateway at an address with a key.
func Over(client *http.Client, address, apiKey string) Get {
	return func(ctx context.Context, target string) (any, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+target, http.NoBody)
		if err != nil {
			return nil, err
		}
		request.Header.Set("X-Api-Key", apiKey)
		answer, err := client.Do(request)
		if err != nil {
			return nil, err
		}
		defer func() { _ = answer.Body.Close() }()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			return nil, err
		}
		if answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%w: %s", errNotRead, text)
		}
		var envelope struct {
			Data any `json:"data"`
		}
		err = json.Unmarshal(text, &envelope)
		return envelope.Data, err
	}
}
