package store

import "sellerapi.dev/pkg/postgres/size"

// Record is what the size of the schema is told for: an order, which the directory has once however many sellers have a part in it.
var Record = size.Record{
	Singular: "order", Plural: "orders", Table: "order_numbers", Basis: "orders.placed_at",
	Time: "(select o.placed_at from orders o where o.seller_id = t.sellers[1] and o.order_id = t.order_id)",
}
