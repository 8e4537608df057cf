#!/bin/sh
# The operator's command line. Where install.sh has set up a service, it has the settings of that service, unless the
# environment has others, and runs as its user. It does not change the directory: typed paths are relative to where the operator is.
set -eu
app=$(dirname "$(dirname "$(readlink -f "$0")")")
settings=$app/settings.env

if [ -L "$settings" ]; then
  if [ ! -r "$settings" ]; then
    echo "The settings of the service ($(readlink "$settings")) cannot be read: use sudo" >&2
    exit 2
  fi
  # The format of systemd's EnvironmentFile, not of a shell: one NAME=value per line, perhaps in quotes.
  while read -r line || [ -n "$line" ]; do
    name=${line%%=*}
    value=${line#*=}
    case $name in "$line" | '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;; esac
    case $value in
      \"*\") value=${value#\"} value=${value%\"} ;;
      \'*\') value=${value#\'} value=${value%\'} ;;
    esac
    eval "[ -n \"\${$name+set}\" ]" || export "$name=$value"
  done < "$settings"
  export DATA_DIR="${DATA_DIR:-/var/lib/licensing-portal}"
  # Files that root writes cannot be read by the service: backups, the database.
  if [ "$(id -u)" = 0 ] && [ -d "$DATA_DIR" ]; then
    user=$(stat -c %U "$DATA_DIR")
    [ "$user" = root ] || exec setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups "$app/bin/portal" "$@"
  fi
else
  # That of bin/portal-server.
  export DATA_DIR="${DATA_DIR:-$app/.data}"
fi

exec "$app/bin/node" --max-semi-space-size=8 --heap-growing-percent=50 "$app/server/cli/main.ts" "$@"
