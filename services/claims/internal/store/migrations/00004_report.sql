-- What is under way is counted every few seconds. It is little beside what has ended, so it has indexes of its own.

-- +goose Up

create index claims_open on claims (type, status) where completed_at is null;
create index refunds_open on refunds (status) where status <> 'succeeded';
