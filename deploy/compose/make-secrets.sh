#!/bin/sh
# Makes the secrets of deploy/compose.yaml once. What exists is kept.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
make() { [ -s "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"; }

make database-admin-password "$(random)"
make database-owner-password "$(random)"
make database-owner-url "postgres://portal_owner:$(cat secrets/database-owner-password)@database:5432/portal"
make database-password "$(random)"
make database-url "postgres://portal:$(cat secrets/database-password)@database:5432/portal"
make drill-database-password "$(random)"
make drill-database-url "postgres://portal_drill:$(cat secrets/drill-database-password)@database:5432/postgres"
# Keep a copy of it where no backup is: without it, PINs and signing keys of a backup do not open.
make installation-key "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')"
make oidc-secret "$(random)"
# Mailpit of this installation, or smtps://name:password@host of a mail server.
make smtp-url smtp://mailpit:1025
make metrics-token "$(random)"
make grafana-password "$(random)"
make keycloak-password "$(random)"
make keycloak-database-password "$(random)"

# Keycloak takes these from the environment, which Compose reads from this file. Whoever made it, only root reads it.
rm -f ../.env
{
  printf 'OIDC_SECRET=%s\n' "$(cat secrets/oidc-secret)"
  printf 'KEYCLOAK_PASSWORD=%s\n' "$(cat secrets/keycloak-password)"
  printf 'KEYCLOAK_DATABASE_PASSWORD=%s\n' "$(cat secrets/keycloak-database-password)"
  [ ! -e names.env ] || cat names.env
} > ../.env

# Each container reads its secrets as the user that it runs as. The portal refuses one that everybody can read.
if [ "$(id -u)" = 0 ]; then
  chown 10001 secrets/database-url secrets/database-owner-url secrets/drill-database-url secrets/installation-key \
    secrets/oidc-secret secrets/smtp-url
  # PostgreSQL reads its passwords as user postgres of its image.
  chown 999 secrets/database-admin-password secrets/database-owner-password secrets/database-password \
    secrets/drill-database-password secrets/keycloak-database-password
  chown 472 secrets/grafana-password
  chown 10001:65534 secrets/metrics-token
  chmod 0440 secrets/metrics-token
else
  echo 'Run it as root, so that the containers can read the secrets and others cannot.' >&2
  exit 1
fi
