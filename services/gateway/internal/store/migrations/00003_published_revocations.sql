-- +goose Up
-- Revocations by when they became certain: the latest are repeated for a while.
create index api_keys_published on api_keys (published_at) where published_at is not null;
