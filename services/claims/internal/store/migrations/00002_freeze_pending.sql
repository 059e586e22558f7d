-- A freeze is registered until the orders service knows it, and so is its end.

-- +goose Up

-- What is registered; null: nothing. It means nothing without frozen_at: the version before writes only that.
alter table claims add column freeze_pending text check (freeze_pending in ('freeze', 'unfreeze'));
