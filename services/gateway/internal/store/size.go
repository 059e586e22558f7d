package store

import "sellerapi.dev/pkg/postgres/size"

// Record is the row for which the schema's size is reported: a key, counted in the table of hashes, whose rows change less often.
var Record = size.Record{
	Singular: "key", Plural: "keys", Table: "key_hashes", Basis: "api_keys.issued_at",
	Time: "(select k.issued_at from api_keys k where k.seller_id = t.seller_id and k.key_id = t.key_id)",
}
