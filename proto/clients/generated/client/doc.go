// Package client is where the generated Go client goes. What it needs is imported here, so that go.mod pins it.
package client

import (
	_ "github.com/oapi-codegen/runtime"
	_ "github.com/oapi-codegen/runtime/types"
	_ "go.yaml.in/yaml/v3"
)

//go:generate go tool oapi-codegen -generate types,client -package client -o client.gen.go ../openapi.json
