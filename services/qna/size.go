package qna

import (
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/qna/internal/store"
)

// NewSizeCommand returns the command that prints the size and the growth of the schema.
func NewSizeCommand() service.SizeCommand {
	return service.NewSizeCommand(string(operation.QnA), store.Record)
}
