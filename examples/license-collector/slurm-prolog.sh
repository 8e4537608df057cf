#!/bin/sh
# For PrologSlurmctld in slurm.conf: a job that was submitted with --comment="license:anshpc:8" starts when 8 seats are free.
# A prolog that fails puts the job back into the queue.
set -eu
. /etc/license-collector.env
export PORTAL TOKEN CUSTOMER
wanted=$(scontrol show job "$SLURM_JOB_ID" | sed -n 's/.*Comment=license:\([^:]*\):\([0-9]*\).*/\1 \2/p')
[ -z "$wanted" ] && exit 0
# shellcheck disable=SC2086
exec /opt/license-collector/free-seats.sh $wanted 1
