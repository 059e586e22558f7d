package claims

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims/internal/store"
)

// NewSizeCommand returns the command that prints the size and growth of the schema.
func NewSizeCommand() service.SizeCommand { return service.NewSizeCommand(schema, store.Record) }
