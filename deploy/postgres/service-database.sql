-- Creates the database of one service with its two roles, on your own server. Run it as a superuser, once for
-- each service:
--
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --set=name=plataforma_ledger \
--     --file=deploy/postgres/service-database.sql
--
-- <name>_owner owns the tables: use it in MIGRATION_DATABASE_URL, for services/<service>/src/migrate.ts.
-- <name>_app is the role of the running service: use it in DATABASE_URL. Migrations grant all its rights;
-- grant it no others.
-- The script can be repeated: it creates only missing objects, and sets both passwords. npm start and Compose
-- run it at each start.
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
-- An account that is not a superuser can give a database only to a role of which it is a member.
GRANT :"owner" TO CURRENT_USER;
SELECT format('CREATE DATABASE %I OWNER %I ENCODING ''UTF8'' TEMPLATE template0', :'name', :'owner')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name')
\gexec
ALTER DATABASE :"name" OWNER TO :"owner";
-- By default every role of the server may connect.
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"name" TO :"app";
