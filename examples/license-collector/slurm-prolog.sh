#!/bin/sh
# For PrologSlurmctld in slurm.conf: a job that was submitted with --comment="license:anshpc:8" starts when 8 seats are free.
# A prolog that fails puts the job back into the queue.
set -eu
wanted=$(scontrol show job "$SLURM_JOB_ID" | sed -n 's/.*Comment=license:\([^:]*\):\([0-9]*\).*/\1 \2/p')
[ -z "$wanted" ] && exit 0
# PORTAL, TOKEN (scope license-use:read) and CUSTOMER. Readable by the user of slurmctld only: it holds the token.
. /etc/license-free.env
export PORTAL TOKEN CUSTOMER
# shellcheck disable=SC2086
exec /opt/license-collector/free-seats.sh $wanted 1
