#!/bin/sh
# Waits until seats of a feature are free: free-seats.sh [--wait] FEATURE [SEATS] [MINUTES]
# With --wait it gets in line: the first in line gets the next free seats. Without it, whoever asks at the right moment does.
# Needs curl and jq, and PORTAL, TOKEN and CUSTOMER in the environment. The token has the scope license-use:read, with --wait license-use:write.
# USER_NAME is who checks the seats out, as the license server names them; by default who runs this. INTERVAL is in seconds, by default 60, with --wait 20.
set -eu
line=
[ "$1" = --wait ] && line=1 && shift
feature=$1
seats=${2:-1}
minutes=${3:-60}

if [ -z "$line" ]; then
  for _ in $(seq "$minutes"); do
    free=$(curl -fsS -G -H "Authorization: Bearer $TOKEN" "$PORTAL/api/license-use/free" \
      --data-urlencode "customerNumber=$CUSTOMER" --data-urlencode "feature=$feature" --data-urlencode "seats=$seats" |
      jq -r .data.isFree)
    [ "$free" = true ] && exit 0
    sleep "${INTERVAL:-60}"
  done
  echo "No free seats of $feature within $minutes minutes" >&2
  exit 1
fi

# call OPERATION reads its body from stdin. A portal that does not answer is asked again later.
call() {
  curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data-binary @- "$PORTAL/api/license-use/waiting/$1" || echo '{}'
}
about() {
  jq -n --arg customer "$CUSTOMER" --arg id "$id" '{customerNumber: $customer, id: $id}'
}
id=
stopped=
leave() {
  [ -z "$id" ] || about | call leave >/dev/null
  exit 1
}
# Only noted: while the answer of the portal is on its way, the place is not known yet.
trap 'stopped=1' INT TERM
end=$(($(date +%s) + minutes * 60))

while [ -z "$id" ]; do
  answer=$(jq -n --arg customer "$CUSTOMER" --arg feature "$feature" --argjson seats "$seats" --argjson until "$end" \
    --arg user "${USER_NAME:-$(id -un)}" \
    '{customerNumber: $customer, feature: $feature, seats: $seats, until: ($until | todate), userName: $user}' | call join)
  id=$(echo "$answer" | jq -r '.data.id? // empty')
  [ -z "$stopped" ] || leave
  case $(echo "$answer" | jq -r '.code // empty') in
    # Another job of the same user is in line. One place at a time: otherwise nobody could tell who has checked out.
    '' | ALREADY_WAITING) ;;
    *)
      echo "$answer" | jq -r '.err' >&2
      exit 2
      ;;
  esac
  if [ -z "$id" ]; then
    [ "$(date +%s)" -lt "$end" ] || { echo "Nobody got in line for $feature within $minutes minutes" >&2 && exit 1; }
    # In the background, so that a signal is not held up.
    sleep "${INTERVAL:-20}" & wait $! || true
  fi
done

while :; do
  [ -z "$stopped" ] || leave
  state=$(about | call one | jq -r '.data.state? // empty')
  case $state in
    offered | checked-out) exit 0 ;;
    missed | expired | withdrawn | no-access)
      echo "No free seats of $feature within $minutes minutes: $state" >&2
      exit 1
      ;;
  esac
  # The portal ends the place itself; this is for one that no longer answers.
  [ "$(date +%s)" -lt $((end + 300)) ] || leave
  sleep "${INTERVAL:-20}" & wait $! || true
done
