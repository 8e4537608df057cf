import type { Transaction } from 'kysely'
import { LICENSE_DENIAL_COLUMNS, licenseDenialList } from '#contract/license-use/denials.ts'
import * as use from '#contract/license-use/license-use.ts'
import { licenseLogList } from '#contract/license-use/logs.ts'
import { type Observation, sendObservations, sendServiceObservations } from '#contract/license-use/observations.ts'
import { uploadLogPart as partOperation, startLogUpload as startOperation } from '#contract/license-use/uploads.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { DB } from '#server/db/schema.ts'
import { licenseUseJobs, licenseUseTasks } from '#server/modules/license-use/license-use.jobs.ts'
import { licenseLogSource } from '#server/modules/license-use/logs/log.list.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'
import { storeObservations } from '#server/modules/license-use/logs/store-observations.ts'
import { requireHost } from '#server/modules/license-use/named-host.ts'
import { loadSettings, saveLicenseUseSettings } from '#server/modules/license-use/save-settings.ts'
import { startLogUpload, uploadLogPart } from '#server/modules/license-use/uploads/upload-log.ts'
import { licenseDenialSource } from '#server/modules/license-use/use/denial.list.ts'
import { getFreeSeats, loadFree } from '#server/modules/license-use/use/free-seats.ts'
import {
  exportLicenseUse,
  getFeatureUse,
  getLicenseUse,
  getLicenseUsePdf,
} from '#server/modules/license-use/use/get-license-use.ts'
import { advanceLines } from '#server/modules/license-use/waiting/advance-lines.ts'
import { waitingRoutes } from '#server/modules/license-use/waiting/waiting.routes.ts'
import type { Module } from '#server/modules/module.ts'
import { readReportRange } from '#server/modules/web-licenses/web-licenses.public.ts'
import { csvListAnswer } from '#server/operations/file-answer.ts'
import type { Call, Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import type { Services } from '#server/services.ts'

export const licenseUseModule: Module = {
  name: 'license-use',
  mayUse: ['accounts', 'entitlements', 'activations', 'web-licenses'],
  jobs: licenseUseJobs,
  tasks: licenseUseTasks,
  routes,
}

function routes(route: Route): void {
  route(sendObservations, async ({ body, db, now, services, standing: { customerNumber } }) => {
    const { hostId } = await requireHost(db, customerNumber, body.serverId)
    return { data: await storeReports(db, services, { customerNumber, hostId }, body.observations, now) }
  })
  route(sendServiceObservations, async ({ body, db, now, services }) => {
    const { customerNumber } = body
    const { hostId } = await requireHost(db, customerNumber, body.serverId)
    return { data: await storeReports(db, services, { customerNumber, hostId }, body.observations, now) }
  })
  route(partOperation, uploadLogPart)
  route(startOperation, startLogUpload)
  route(use.getLicenseUse, getLicenseUse)
  route(use.exportLicenseUse, exportLicenseUse)
  route(use.getLicenseUsePdf, getLicenseUsePdf)
  route(use.getFeatureUse, getFeatureUse)
  routeList(route, licenseDenialList, {
    source: licenseDenialSource,
    scope: denialScope,
    exportCsv: exportDenials,
  })
  routeList(route, licenseLogList, {
    source: licenseLogSource,
    scope: ({ standing: { customerNumber } }) => ({ customerNumber }),
  })
  route(use.getFreeSeats, getFreeSeats)
  route(use.getServiceFreeSeats, async ({ db, now, query }) => ({
    data: await loadFree(db, query.customerNumber, query.feature, { wanted: query.seats ?? 1, now }),
  }))
  route(use.getLicenseUseSettings, async ({ db, standing: { customerNumber } }) => ({
    data: await loadSettings(db, customerNumber),
  }))
  route(use.saveLicenseUseSettings, saveLicenseUseSettings)
  waitingRoutes(route)
}

/** Stores what a license server reports, and tells those in line who get a seat by it. */
async function storeReports(
  tx: Transaction<DB>,
  services: Services,
  key: HostKey,
  observations: readonly Observation[],
  now: Date,
) {
  const results = await storeObservations(tx, services, key, observations, now)
  await advanceLines(tx, services, key.customerNumber, { now, reporting: key.hostId })
  return results
}

type DenialCall = {
  readonly body: DayRange
  readonly timeZone: string
  readonly standing: { readonly customerNumber: string }
}

const denialScope = ({ body, timeZone, standing: { customerNumber } }: DenialCall) => ({
  customerNumber,
  ...readReportRange(body, timeZone),
})

function exportDenials(call: Call<typeof licenseDenialList.exportCsv>) {
  const scope = denialScope(call)
  const fileName = `license-denials_${scope.customerNumber}_${scope.from}_${scope.to}.csv`
  return csvListAnswer(call, fileName, { source: licenseDenialSource, scope, columns: LICENSE_DENIAL_COLUMNS })
}
