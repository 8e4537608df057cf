#!/bin/sh
# What ends in 90 days, all license files, last month's usage, with curl and without jq: PORTAL_URL=… TOKEN=lpc_… CUSTOMER=… sh client.sh <folder>
set -eu
folder=${1:-.}
mkdir -p "$folder"
post() {
  path=$1 body=$2
  shift 2
  curl -sS --fail-with-body --retry 3 "$PORTAL_URL$path" -H "Authorization: Bearer $TOKEN" -H 'Accept: application/problem+json, */*' \
    -H 'Content-Type: application/json' -d "{\"customerNumber\": \"$CUSTOMER\"$body}" "$@"
}
range() { printf ', "filter": {"condition": "ALL", "criteria": [{"name": "%s", "method": "DAYRANGE", "value": ["%s", "%s"]}]}' "$1" "$2" "$3"; }
# A text field of $answer. Only its quotes are unescaped: printf %b unescapes the rest.
field() {
  printf '%s' "$answer" | sed -nE "s/.*\"$1\":\"(([^\"\\\\]|\\\\.)*)\".*/\\1/p" | sed 's/\\"/"/g' | grep . || { echo "$answer" >&2; exit 1; }
}

today=$(date -u +%Y-%m-%d)
post /api/fetchEntitlements/active/export "$(range EndDate "$today" "$(date -u -d "$today + 90 days" +%Y-%m-%d)")"

# One license server per line: id, name, type. The answer is JSON in one line.
post /api/fulfillments/servers '' | sed 's/},{/}\n{/g' | grep '"generatedAt":"' |
  sed -E 's/.*"id":"([^"]*)","name":"([^"]*)","type":"([^"]*)".*/\1 \2 \3/' |
  while read -r id name type; do
    answer=$(post /api/fulfillments/download ", \"serverId\": \"$id\", \"serverName\": \"$name\", \"serverIdType\": \"$type\"")
    file=$(field licenseFileName)
    text=$(field licenseText)
    printf '%b' "$text" > "$folder/$(basename "$file")"
  done

month=$(date -u -d "$(date -u +%Y-%m-01) - 1 day" +%Y-%m)
post /api/fetchUsage/export "$(range EndTime "$month-01" "$(date -u -d "$month-01 + 1 month - 1 day" +%Y-%m-%d)")" -o "$folder/usage-$month.csv"
