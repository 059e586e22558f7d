-- What a key may do, and for whom, is sealed with the pepper.
-- +goose Up
alter table api_keys add column seal bytea not null default '';

comment on column api_keys.seal is 'MAC over key, seller, look-up hash, expiry, revocation and scopes under the pepper: a row that was changed by anyone else is no key. Keys from before have none and are to be issued anew.';
