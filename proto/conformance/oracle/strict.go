package oracle

import "github.com/getkin/kin-openapi/openapi3"

// tighten forbids, in all schemas of responses and of webhooks, members that are not named and values that open lists do not
// list. Schemas of requests stay as they are: servers ignore what they do not know.
func tighten(operations []operation, webhooks map[string]*openapi3.PathItem, unrouted map[int]*openapi3.Response) {
	t := tightener{}
	for _, webhook := range webhooks {
		for _, media := range webhook.Post.RequestBody.Value.Content {
			t.schema(media.Schema)
		}
	}
	for _, op := range operations {
		for _, response := range op.spec.Responses.Map() {
			t.response(response.Value)
		}
	}
	for _, response := range unrouted {
		t.response(response)
	}
}

// tightener records the schemas that it has visited: many responses share them.
type tightener map[*openapi3.Schema]bool

func (t tightener) response(response *openapi3.Response) {
	for _, media := range response.Content {
		t.schema(media.Schema)
	}
}

func (t tightener) schema(ref *openapi3.SchemaRef) {
	if ref == nil || ref.Value == nil || t[ref.Value] {
		return
	}
	schema := ref.Value
	t[schema] = true
	if len(schema.Properties) > 0 {
		schema.AdditionalProperties = openapi3.AdditionalProperties{Has: openapi3.Ptr(false)}
	}
	if values, ok := schema.Extensions["x-extensible-enum"].([]any); ok {
		schema.Enum = values
		if schema.Type.Includes(openapi3.TypeNull) {
			schema.Enum = append(append([]any(nil), values...), nil)
		}
	}
	for _, property := range schema.Properties {
		t.schema(property)
	}
	t.schema(schema.Items)
	for _, list := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf, schema.AllOf} {
		for _, alternative := range list {
			t.schema(alternative)
		}
	}
}
