// Package client is the folder of the generated Go client. It imports the dependencies of the client, so that
// go.mod pins them.
package client

import (
	_ "github.com/oapi-codegen/runtime"
	_ "github.com/oapi-codegen/runtime/types"
	_ "go.yaml.in/yaml/v3"
)

//go:generate go tool oapi-codegen -generate types,client -package client -o client.gen.go ../openapi.json
