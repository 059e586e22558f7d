package qna

import (
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/qna/internal/store"
)

// Schema is the database schema of the service.
var Schema = service.Schema{Name: string(operation.QnA), Migrations: store.Migrations()}
