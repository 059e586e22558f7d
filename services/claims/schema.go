package claims

import (
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims/internal/store"
)

// Schema is the database schema of the service.
var Schema = service.Schema{Name: string(operation.Claims), Migrations: store.Migrations()}
