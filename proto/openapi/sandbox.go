package openapi

import _ "embed" // the document

//go:embed sandbox-api.yaml
var sandbox []byte

// Sandbox returns the contract of the sandbox, which is served in test environments only.
func Sandbox() Document { return NewDocument(sandbox, "application/yaml") }
