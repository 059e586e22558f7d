// Package ogenclient is where the client that ogen makes goes. What it needs is imported here, so that go.mod pins it.
package ogenclient

import (
	_ "github.com/go-faster/errors"
	_ "github.com/go-faster/jx"
	_ "github.com/ogen-go/ogen/http"
	_ "github.com/ogen-go/ogen/ogenerrors"
	_ "github.com/ogen-go/ogen/validate"
)

//go:generate go tool ogen -config ../ogen.yml -package ogenclient -target . ../openapi.json
