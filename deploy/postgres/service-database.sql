-- The database of one service with its two roles, on a server of your own; once for each service, as a superuser:
--
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --set=name=plataforma_ledger --file=deploy/postgres/service-database.sql
--
-- <name>_owner owns the tables and migrates: MIGRATION_DATABASE_URL of the step that runs services/<service>/src/migrate.ts.
-- <name>_app is who the service works as: its DATABASE_URL. Migrating grants it what it needs; grant it nothing else.
-- The script may run again: it creates what is missing and sets both passwords. npm start and Compose run it at each start.
\set ON_ERROR_STOP on
\set owner :name _owner
\set app :name _app
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD

SELECT format('CREATE ROLE %I', role) FROM unnest(ARRAY[:'owner', :'app']) AS role
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role)
\gexec
ALTER ROLE :"owner" LOGIN PASSWORD :'owner_password';
ALTER ROLE :"app" LOGIN PASSWORD :'app_password';
-- An account that is no superuser can give a database only to a role that it is a member of.
GRANT :"owner" TO CURRENT_USER;
SELECT format('CREATE DATABASE %I OWNER %I ENCODING ''UTF8'' TEMPLATE template0', :'name', :'owner')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name')
\gexec
ALTER DATABASE :"name" OWNER TO :"owner";
-- Without this line every role of the server could connect.
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"name" TO :"app";
