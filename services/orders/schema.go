package orders

import (
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders/internal/store"
)

// Schema is the database schema of the service.
var Schema = service.Schema{Name: string(operation.Orders), Migrations: store.Migrations()}
