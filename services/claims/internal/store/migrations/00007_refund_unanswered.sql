-- Since when the provider owes an answer about a refund.

-- +goose Up

-- Null: no answer is awaited. A refund that waits for one now gets its time when the provider is asked again.
alter table refunds add column if not exists unanswered_since timestamptz;
