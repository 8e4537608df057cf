import * as webAssignments from '#contract/web-licenses/web-assignments.ts'
import * as webCheckoutLists from '#contract/web-licenses/web-checkout-lists.ts'
import * as webCheckouts from '#contract/web-licenses/web-checkouts.ts'
import * as webGroups from '#contract/web-licenses/web-groups.ts'
import * as webLists from '#contract/web-licenses/web-lists.ts'
import * as webReport from '#contract/web-licenses/web-report.ts'
import * as webUsers from '#contract/web-licenses/web-users.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { CsvColumns } from '#server/lists/list-csv.ts'
import type { ListFields, ListSource } from '#server/lists/list-source.ts'
import type { Module } from '#server/modules/module.ts'
import { assignWebLicenses, unassignWebLicenses } from '#server/modules/web-licenses/change-assignments.ts'
import {
  changeWebGroupMembers,
  createWebGroup,
  deleteWebGroup,
  renameWebGroup,
} from '#server/modules/web-licenses/change-groups.ts'
import { deleteWebUsers, saveWebUsers } from '#server/modules/web-licenses/change-users.ts'
import { checkInWebLicense, closeSilentCheckouts, keepWebCheckout } from '#server/modules/web-licenses/keep-checkout.ts'
import { startWebCheckout } from '#server/modules/web-licenses/start-checkout.ts'
import { webCheckoutSource, webDenialSource } from '#server/modules/web-licenses/web-checkout.list.ts'
import { deleteWebDenialsBefore } from '#server/modules/web-licenses/web-denials.queries.ts'
import {
  type WebScope,
  webEntitlementSource,
  webGroupAssignmentSource,
  webGroupSource,
  webMemberSource,
  webSeatSource,
  webUserSource,
} from '#server/modules/web-licenses/web-licenses.list.ts'
import { exportWebReport, getWebReport, getWebReportPdf } from '#server/modules/web-licenses/web-report.ts'
import { csvListAnswer } from '#server/operations/file-answer.ts'
import type { Call, Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'
import { defineJob } from '#server/tasks/job.ts'

const scope = ({ standing }: { standing: { customerNumber: string } }): WebScope => ({
  customerNumber: standing.customerNumber,
})

/** A checkout ends at the same instant whenever this job runs; only the time when its end appears differs. */
const silentCheckoutsJob = defineJob({
  queue: 'web-silent-checkouts',
  cron: '* * * * *',
  async run(_data, services) {
    await closeSilentCheckouts(services)
  },
})

/** Longer than the longest report. */
const DENIALS_KEPT = 2 * 366 * 24 * 60 * 60 * 1000

const oldDenialsJob = defineJob({
  queue: 'web-old-denials',
  cron: '32 3 * * *',
  async run(_data, { clock, db }) {
    await deleteWebDenialsBefore(db, new Date(clock.now().getTime() - DENIALS_KEPT))
  },
})

export const webLicensesModule: Module = {
  name: 'web-licenses',
  mayUse: ['accounts', 'entitlements'],
  jobs: [silentCheckoutsJob, oldDenialsJob],
  routes,
}

function routes(route: Route): void {
  routeList(route, webLists.webEntitlementList, { source: webEntitlementSource, scope })
  routeList(route, webLists.webSeatList, { source: webSeatSource, scope })
  routeList(route, webLists.webUserList, { source: webUserSource, scope })
  routeList(route, webLists.webGroupList, { source: webGroupSource, scope })
  routeList(route, webLists.webMemberList, { source: webMemberSource, scope })
  routeList(route, webLists.webGroupAssignmentList, { source: webGroupAssignmentSource, scope })
  routeList(route, webCheckoutLists.webCheckoutList, {
    source: webCheckoutSource,
    scope,
    exportCsv: (call) => exportList(call, 'web-transactions', webCheckoutSource, webCheckoutLists.WEB_CHECKOUT_COLUMNS),
  })
  routeList(route, webCheckoutLists.webDenialList, {
    source: webDenialSource,
    scope,
    exportCsv: (call) => exportList(call, 'web-denials', webDenialSource, webCheckoutLists.WEB_DENIAL_COLUMNS),
  })

  route(webAssignments.assignWebLicenses, assignWebLicenses)
  route(webAssignments.unassignWebLicenses, unassignWebLicenses)
  route(webGroups.createWebGroup, createWebGroup)
  route(webGroups.renameWebGroup, renameWebGroup)
  route(webGroups.deleteWebGroup, deleteWebGroup)
  route(webGroups.changeWebGroupMembers, changeWebGroupMembers)
  route(webUsers.saveWebUsers, saveWebUsers)
  route(webUsers.deleteWebUsers, deleteWebUsers)

  route(webCheckouts.startWebCheckout, startWebCheckout)
  route(webCheckouts.keepWebCheckout, keepWebCheckout)
  route(webCheckouts.checkInWebLicense, checkInWebLicense)

  route(webReport.getWebReport, getWebReport)
  route(webReport.exportWebReport, exportWebReport)
  route(webReport.getWebReportPdf, getWebReportPdf)
}

function exportList<F extends ListFields>(
  call: Call<typeof webCheckoutLists.webCheckoutList.exportCsv | typeof webCheckoutLists.webDenialList.exportCsv>,
  name: string,
  source: ListSource<WebScope, F>,
  columns: CsvColumns<F>,
) {
  const fileName = `${name}_${call.standing.customerNumber}_${dayIn(call.timeZone, call.now)}.csv`
  return csvListAnswer(call, fileName, { source, scope: scope(call), columns })
}
