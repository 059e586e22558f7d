package store

import "sellerapi.dev/pkg/postgres/size"

// Record is what the size of the schema is told for: a key, by the table of hashes, whose rows are not changed as those of keys are.
var Record = size.Record{
	Singular: "key", Plural: "keys", Table: "key_hashes", Basis: "api_keys.issued_at",
	Time: "(select k.issued_at from api_keys k where k.seller_id = t.seller_id and k.key_id = t.key_id)",
}
