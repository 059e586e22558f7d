package store

import "sellerapi.dev/pkg/postgres/size"

// Record is what the size of the schema is told for: an inquiry, by the directory, whose rows are not changed as those of inquiries are.
var Record = size.Record{
	Singular: "inquiry", Plural: "inquiries", Table: "inquiry_ids", Basis: "inquiries.created_at",
	Time: "coalesce((select i.created_at from inquiries i where i.seller_id = t.seller_id and i.qna_id = t.qna_id)," +
		" (select a.created_at from archived_inquiries a where a.seller_id = t.seller_id and a.qna_id = t.qna_id))",
}
