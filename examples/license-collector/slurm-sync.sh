#!/bin/sh
# Keeps remote licenses of Slurm in step with the license servers: slurm-sync.sh FEATURE…, every minute, for example by cron.
# Needs curl and awk, and PORTAL, TOKEN (scope license-use:read) and CUSTOMER in the environment. Each feature is a resource of Slurm, added once:
#   sacctmgr add resource name=anshpc server=flexnet servertype=flexlm type=license count=8 cluster=main allowed=100
# SLURM_SERVER is the server of the resources, by default flexnet. Slurm before 23.02 has no LastConsumed: set COUNT_ONLY=1, and it gets
# the seats alone, without those that others hold.
set -eu
server=${SLURM_SERVER:-flexnet}
metrics=$(curl -fsS -G -H "Authorization: Bearer $TOKEN" "$PORTAL/api/license-use/metrics" --data-urlencode "customerNumber=$CUSTOMER")
resources=$(sacctmgr -nP show resource where server="$server" format=name,count,lastconsumed)
status=0
for feature in "$@"; do
  # All seats, and those that cannot be had: in use or reserved. Nothing where a license server does not know them.
  FEATURE=$feature
  export FEATURE
  wanted=$(echo "$metrics" | awk '
    function is(metric) { return index($0, metric "{feature=\"" ENVIRON["FEATURE"] "\",") == 1 }
    is("license_seats") { seats += $NF; servers += 1 }
    is("license_seats_free") { free += $NF; known += 1 }
    END { if (servers > 0 && servers == known) print seats, seats - free }')
  if [ -z "$wanted" ]; then
    echo "The seats of $feature are not known. Nothing was changed." >&2
    status=1
    continue
  fi
  known=$(echo "$resources" | awk -F '|' '$1 == ENVIRON["FEATURE"] { print $2, $3 }')
  if [ -z "$known" ]; then
    echo "Slurm has no resource $feature of the server $server. Add it with sacctmgr add resource." >&2
    status=1
    continue
  fi
  count=${wanted% *}
  consumed=${wanted#* }
  if [ -n "${COUNT_ONLY:-}" ]; then
    [ "${known% *}" = "$count" ] || sacctmgr -i modify resource where name="$feature" server="$server" set count="$count"
  elif [ "$known" != "$wanted" ]; then
    sacctmgr -i modify resource where name="$feature" server="$server" set count="$count" lastconsumed="$consumed"
  fi
done
exit $status
