package claims

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims/internal/store"
)

// NewSizeCommand returns the command that prints how large the schema is and how fast it grows.
func NewSizeCommand() service.SizeCommand { return service.NewSizeCommand(schema, store.Record) }
