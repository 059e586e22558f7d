package store

import "sellerapi.dev/pkg/postgres/size"

// Record is the row for which the schema's size is reported: a claim, counted in the directory, whose rows change less often.
var Record = size.Record{
	Singular: "claim", Plural: "claims", Table: "claim_numbers", Basis: "claims.requested_at",
	Time: "(select c.requested_at from claims c where c.seller_id = t.seller_id and c.claim_no = t.claim_no)",
}
