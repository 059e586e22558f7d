package store

import "sellerapi.dev/pkg/postgres/size"

// Record is what the size of the schema is told for: a claim, by the directory, whose rows are not changed as those of claims are.
var Record = size.Record{
	Singular: "claim", Plural: "claims", Table: "claim_numbers", Basis: "claims.requested_at",
	Time: "coalesce((select c.requested_at from claims c where c.seller_id = t.seller_id and c.claim_no = t.claim_no)," +
		" (select a.requested_at from archived_claims a where a.seller_id = t.seller_id and a.claim_no = t.claim_no))",
}
