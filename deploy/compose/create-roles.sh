#!/bin/sh
# Runs once, when the database is empty: the owner of the tables, and the role of the portal, which owns nothing.
set -eu
# compose.citus.yaml has one role, which all nodes know.
if [ "$POSTGRES_USER" != portal ]; then
  psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres \
    -v owner="$(cat /run/secrets/database-owner-password)" -v portal="$(cat /run/secrets/database-password)" <<'SQL'
create role portal_owner login password :'owner';
create role portal login password :'portal';
create database portal owner portal_owner;
SQL
fi
