package store

import "sellerapi.dev/pkg/postgres/size"

// Record is the unit of the size report: an inquiry, counted in inquiry_ids, whose rows never change, unlike those of inquiries.
var Record = size.Record{
	Singular: "inquiry", Plural: "inquiries", Table: "inquiry_ids", Basis: "inquiries.created_at",
	Time: "(select i.created_at from inquiries i where i.seller_id = t.seller_id and i.qna_id = t.qna_id)",
}
