#!/bin/sh
# Runs once, when the database is empty: the owner of the tables, the role of the portal, which owns nothing, Keycloak, and the role of drills.
set -eu
sql() { psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres "$@"; }

# compose.citus.yaml has one role, which all nodes know.
if [ "$POSTGRES_USER" != portal ]; then
  sql -v owner="$(cat /run/secrets/database-owner-password)" -v portal="$(cat /run/secrets/database-password)" <<'SQL'
create role portal_owner login password :'owner';
create role portal login password :'portal';
create database portal owner portal_owner;
SQL
fi

sql -v keycloak="$(cat /run/secrets/keycloak-database-password)" -v drill="$(cat /run/secrets/drill-database-password)" <<'SQL'
create role keycloak login password :'keycloak';
create database keycloak owner keycloak;
create role portal_drill login createdb password :'drill';
SQL
