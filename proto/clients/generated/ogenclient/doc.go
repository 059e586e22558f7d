// Package ogenclient is the folder of the client that ogen generates. It imports the dependencies of the client, so
// that go.mod pins them.
package ogenclient

import (
	_ "github.com/go-faster/errors"
	_ "github.com/go-faster/jx"
	_ "github.com/ogen-go/ogen/http"
	_ "github.com/ogen-go/ogen/ogenerrors"
	_ "github.com/ogen-go/ogen/validate"
)

//go:generate go tool ogen -config ../ogen.yml -package ogenclient -target . ../openapi.json
