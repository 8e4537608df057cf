import * as history from '#contract/activations/history/history.ts'
import * as hostsWithSeats from '#contract/activations/hosts/hosts-with-seats.ts'
import * as servers from '#contract/activations/hosts/servers.ts'
import * as sharedServer from '#contract/activations/hosts/shared-server.ts'
import * as uploadServerId from '#contract/activations/hosts/upload-server-id.ts'
import * as licenseFiles from '#contract/activations/license-files/license-files.ts'
import * as hostPlans from '#contract/activations/plans/host-plans.ts'
import * as startPlans from '#contract/activations/plans/start-plans.ts'
import * as activations from '#contract/activations/seats/activations.ts'
import * as changeSeats from '#contract/activations/seats/change-seats.ts'
import { operationsOf } from '#contract/kit/operations-of.ts'

export const activationsOperations = operationsOf(
  history,
  hostsWithSeats,
  servers,
  sharedServer,
  uploadServerId,
  licenseFiles,
  hostPlans,
  startPlans,
  activations,
  changeSeats,
)
