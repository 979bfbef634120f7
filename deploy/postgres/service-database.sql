-- The database of one service with its two roles, on a server of your own; once for each service, as a superuser:
--
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --set=name=plataforma_ledger --file=deploy/postgres/service-database.sql
--
-- <name>_owner owns the tables and migrates: MIGRATION_DATABASE_URL of the step that runs services/<service>/src/migrate.ts.
-- <name>_app is who the service works as: its DATABASE_URL. Migrating grants it what it needs; grant it nothing else.
\set ON_ERROR_STOP on
\set owner :name _owner
\set app :name _app
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD

CREATE ROLE :"owner" LOGIN PASSWORD :'owner_password';
CREATE ROLE :"app" LOGIN PASSWORD :'app_password';
CREATE DATABASE :"name" OWNER :"owner" ENCODING 'UTF8' TEMPLATE template0;
-- Without this every role of the server could come in.
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"name" TO :"app";
