#!/bin/sh
# Installs or upgrades the portal from this folder: sudo ./install.sh
# DESTDIR=/some/folder installs below that folder, without a user and without systemd.
set -eu

say() { printf '%s\n' "$*"; }
refuse() { printf 'Not installed: %s\n' "$*" >&2; exit 1; }

cd "$(dirname "$0")"
destdir=${DESTDIR:-}
base=$destdir/opt/licensing-portal
settings=$destdir/etc/licensing-portal
units=$destdir/etc/systemd/system
name=licensing-portal

sha256sum --check --quiet SHA256SUMS || refuse 'a file is not what it was when the archive was made'
release=$(bin/node -p 'const { version, commit } = require("./package.json"); `${version}-${commit}`') ||
  refuse 'the Node of this archive does not run on this machine'

if [ -z "$destdir" ]; then
  [ "$(id -u)" = 0 ] || refuse 'run it as root'
  id "$name" >/dev/null 2>&1 ||
    useradd --system --home-dir /var/lib/$name --shell /usr/sbin/nologin --user-group "$name"
fi

# Each version has a folder of its own: the running portal keeps its files until it is restarted.
app=$base/$release
mkdir -p "$base" "$settings" "$units"
rm -rf "$app.new"
mkdir "$app.new"
cp -R bin contract dist docs domain node_modules package.json README.md server "$app.new/"
chmod -R u+rwX,go+rX,go-w "$app.new"
# bin/portal reads it.
ln -s ../../../etc/licensing-portal/portal.env "$app.new/settings.env"

if [ -z "$destdir" ]; then
  chown -R root:root "$app.new"
  chown "root:$name" "$settings"
  chmod 0750 "$settings"
  # Before the first start, for "bin/portal migrate". The unit makes them, too.
  install -d -o "$name" -g "$name" -m 0700 /var/lib/$name /var/lib/$name/backups
fi
if [ ! -e "$settings/portal.env" ]; then
  cp portal.env "$settings/portal.env"
  chmod 0640 "$settings/portal.env"
  [ -n "$destdir" ] || chown "root:$name" "$settings/portal.env"
fi
cp licensing-portal.service "$units/licensing-portal.service"

rm -rf "$app.old"
[ ! -e "$app" ] || mv "$app" "$app.old"
mv "$app.new" "$app"
rm -rf "$app.old"
previous=$(readlink "$base/current" || true)
ln -sfn "$release" "$base/current.new"
mv -T "$base/current.new" "$base/current"
if [ -z "$destdir" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi

say "Installed in $app, and $base/current leads there"
if [ -z "$previous" ]; then
  say "Next: edit $settings/portal.env, then: systemctl enable --now $name"
else
  say "Next: systemctl restart $name (it migrates the database first; take a backup before: sudo $base/current/bin/portal backup)"
  [ "$previous" = "$release" ] || say "Back to $previous: ln -sfn $previous $base/current && systemctl restart $name"
fi
