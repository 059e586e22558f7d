-- The schemas of the four services, each with two roles: one that owns and migrates it, one that reads and writes its rows.
-- Run once as a superuser in the database of the system. Roles get their passwords elsewhere.

revoke all on schema public from public;

create role gateway_owner login;
create role gateway login;
create schema gateway authorization gateway_owner;
grant usage on schema gateway to gateway;
alter default privileges for role gateway_owner in schema gateway grant select, insert, update, delete on tables to gateway;
alter default privileges for role gateway_owner in schema gateway grant usage, select on sequences to gateway;

create role orders_owner login;
create role orders login;
create schema orders authorization orders_owner;
grant usage on schema orders to orders;
alter default privileges for role orders_owner in schema orders grant select, insert, update, delete on tables to orders;
alter default privileges for role orders_owner in schema orders grant usage, select on sequences to orders;

create role claims_owner login;
create role claims login;
create schema claims authorization claims_owner;
grant usage on schema claims to claims;
alter default privileges for role claims_owner in schema claims grant select, insert, update, delete on tables to claims;
alter default privileges for role claims_owner in schema claims grant usage, select on sequences to claims;

create role qna_owner login;
create role qna login;
create schema qna authorization qna_owner;
grant usage on schema qna to qna;
alter default privileges for role qna_owner in schema qna grant select, insert, update, delete on tables to qna;
alter default privileges for role qna_owner in schema qna grant usage, select on sequences to qna;
