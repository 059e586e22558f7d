package oracle

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/routers"
)

var errUndescribed = errors.New("is not in the contract")

// CheckDelivery reports whether a delivery that a receiver got conforms to the webhook of that name in the contract: its headers,
// of which those that begin with webhook- must be described, and its body. It does not modify the request; body is its complete
// body.
func (o *Oracle) CheckDelivery(webhook string, r *http.Request, body []byte) error {
	item := o.plain.Webhooks[webhook]
	if item == nil || r.Method != http.MethodPost {
		return fmt.Errorf("%s %s: %w", r.Method, webhook, ErrNoOperation)
	}
	described := make([]string, 0, len(item.Post.Parameters))
	for _, parameter := range item.Post.Parameters {
		described = append(described, http.CanonicalHeaderKey(parameter.Value.Name))
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "Webhook-") && !slices.Contains(described, name) {
			return fmt.Errorf("header %s: %w", name, errUndescribed)
		}
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || item.Post.RequestBody.Value.Content[kind] == nil {
		return fmt.Errorf("content type %q: %w", r.Header.Get("Content-Type"), errUndescribed)
	}
	return validate(r, body, nil, &routers.Route{
		Spec: o.plain, Path: "/", PathItem: item, Method: http.MethodPost, Operation: item.Post,
	})
}
