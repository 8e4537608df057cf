#!/bin/sh
# Waits until seats of a feature are free: free-seats.sh FEATURE [SEATS] [MINUTES]
# Needs curl and jq, and PORTAL, TOKEN (scope license-use:read) and CUSTOMER in the environment.
set -eu
feature=$1
seats=${2:-1}
minutes=${3:-60}
for _ in $(seq "$minutes"); do
  free=$(curl -fsS -G -H "Authorization: Bearer $TOKEN" "$PORTAL/api/license-use/free" \
    --data-urlencode "customerNumber=$CUSTOMER" --data-urlencode "feature=$feature" --data-urlencode "seats=$seats" |
    jq -r .data.isFree)
  [ "$free" = true ] && exit 0
  sleep 60
done
echo "No free seats of $feature within $minutes minutes" >&2
exit 1
