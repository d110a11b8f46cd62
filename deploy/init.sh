#!/bin/sh
# Makes the roles and the database of the market, once, when the container of PostgreSQL is first started.
set -eu
: "${OWNER_PASSWORD:?}" "${RUN_PASSWORD:?}" "${COPY_PASSWORD:?}"
psql -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v run="$RUN_PASSWORD" -v copy="$COPY_PASSWORD" -U postgres <<'SQL'
create role youshi login createrole password :'owner';
create database youshi owner youshi encoding 'UTF8';
create role youshi_app nologin;
grant youshi_app to youshi with admin option;
create role youshi_run login password :'run' in role youshi_app;
create role youshi_copy login replication password :'copy';
SQL
echo "host replication youshi_copy all scram-sha-256" >> "$PGDATA/pg_hba.conf"
