-- Keys that are taken before anything is decided; the text is that of package inbox.

-- +goose Up

-- A key whose request runs in steps is taken before the first of them, so that it belongs to that content whatever happens.
alter table inbox add column if not exists decided boolean not null default true;
