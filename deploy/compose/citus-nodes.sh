#!/bin/bash
# Runs once on a new node of deploy/compose.citus.yaml: with this password it connects to the other nodes.
set -eu
psql -v ON_ERROR_STOP=1 -v password="password=$(cat /run/secrets/database-password)" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
insert into pg_dist_authinfo (nodeid, rolename, authinfo) values (0, current_user, :'password');
SQL
