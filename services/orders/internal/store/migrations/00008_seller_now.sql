-- +goose Up
-- The time of a seller's business, for every statement that stamps or judges something of the seller; null stands for the
-- marketplace. It is the wall clock for all. What only bounds an index, such as the search for rows that are due, takes
-- statement_timestamp(), which a plan can compare an index with.
-- +goose StatementBegin
create or replace function seller_now(seller_id uuid) returns timestamptz language sql volatile
return clock_timestamp();
-- +goose StatementEnd
