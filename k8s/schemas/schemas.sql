-- The schemas of the services, each with two roles: one that owns and migrates it, and one that reads and writes its rows.
-- Run once as a superuser in the database of the system. The passwords of the roles are set elsewhere.

revoke all on schema public from public;

do $$
declare
  service text;
  owner text;
begin
  foreach service in array array['gateway', 'orders', 'claims', 'qna'] loop
    owner := service || '_owner';
    execute format('create role %I login', owner);
    execute format('create role %I login', service);
    execute format('create schema %I authorization %I', service, owner);
    execute format('grant usage on schema %I to %I', service, service);
    execute format('alter default privileges for role %I in schema %I grant select, insert, update, delete on tables to %I', owner, service, service);
  end loop;
end
$$;
