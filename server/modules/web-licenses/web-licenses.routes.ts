import {
  assignWebLicenses as assignOperation,
  unassignWebLicenses as unassignOperation,
} from '#contract/web-licenses/web-assignments.ts'
import {
  WEB_CHECKOUT_COLUMNS,
  WEB_DENIAL_COLUMNS,
  webCheckoutList,
  webDenialList,
} from '#contract/web-licenses/web-checkout-lists.ts'
import {
  checkInWebLicense as checkInOperation,
  keepWebCheckout as keepOperation,
  startWebCheckout as startOperation,
} from '#contract/web-licenses/web-checkouts.ts'
import {
  createWebGroup as createGroupOperation,
  deleteWebGroup as deleteGroupOperation,
  changeWebGroupMembers as membersOperation,
  renameWebGroup as renameGroupOperation,
} from '#contract/web-licenses/web-groups.ts'
import {
  webEntitlementList,
  webGroupAssignmentList,
  webGroupList,
  webMemberList,
  webSeatList,
  webUserList,
} from '#contract/web-licenses/web-lists.ts'
import {
  exportWebReport as exportReportOperation,
  getWebReport as reportOperation,
  getWebReportPdf as reportPdfOperation,
} from '#contract/web-licenses/web-report.ts'
import {
  deleteWebUsers as deleteUsersOperation,
  saveWebUsers as saveUsersOperation,
} from '#contract/web-licenses/web-users.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { CsvColumns } from '#server/lists/list-csv.ts'
import type { ListFields, ListSource } from '#server/lists/list-source.ts'
import { assignWebLicenses, unassignWebLicenses } from '#server/modules/web-licenses/change-assignments.ts'
import {
  changeWebGroupMembers,
  createWebGroup,
  deleteWebGroup,
  renameWebGroup,
} from '#server/modules/web-licenses/change-groups.ts'
import { deleteWebUsers, saveWebUsers } from '#server/modules/web-licenses/change-users.ts'
import { checkInWebLicense, keepWebCheckout } from '#server/modules/web-licenses/keep-checkout.ts'
import { startWebCheckout } from '#server/modules/web-licenses/start-checkout.ts'
import { webCheckoutSource, webDenialSource } from '#server/modules/web-licenses/web-checkout.list.ts'
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

const scope = ({ standing }: { standing: { customerNumber: string } }): WebScope => ({
  customerNumber: standing.customerNumber,
})

export function webLicensesRoutes(route: Route): void {
  routeList(route, webEntitlementList, { source: webEntitlementSource, scope })
  routeList(route, webSeatList, { source: webSeatSource, scope })
  routeList(route, webUserList, { source: webUserSource, scope })
  routeList(route, webGroupList, { source: webGroupSource, scope })
  routeList(route, webMemberList, { source: webMemberSource, scope })
  routeList(route, webGroupAssignmentList, { source: webGroupAssignmentSource, scope })
  routeList(route, webCheckoutList, {
    source: webCheckoutSource,
    scope,
    exportCsv: (call) => exportList(call, 'web-transactions', webCheckoutSource, WEB_CHECKOUT_COLUMNS),
  })
  routeList(route, webDenialList, {
    source: webDenialSource,
    scope,
    exportCsv: (call) => exportList(call, 'web-denials', webDenialSource, WEB_DENIAL_COLUMNS),
  })

  route(assignOperation, assignWebLicenses)
  route(unassignOperation, unassignWebLicenses)
  route(createGroupOperation, createWebGroup)
  route(renameGroupOperation, renameWebGroup)
  route(deleteGroupOperation, deleteWebGroup)
  route(membersOperation, changeWebGroupMembers)
  route(saveUsersOperation, saveWebUsers)
  route(deleteUsersOperation, deleteWebUsers)

  route(startOperation, startWebCheckout)
  route(keepOperation, keepWebCheckout)
  route(checkInOperation, checkInWebLicense)

  route(reportOperation, getWebReport)
  route(exportReportOperation, exportWebReport)
  route(reportPdfOperation, getWebReportPdf)
}

function exportList<F extends ListFields>(
  call: Call<typeof webCheckoutList.exportCsv | typeof webDenialList.exportCsv>,
  name: string,
  source: ListSource<WebScope, F>,
  columns: CsvColumns<F>,
) {
  const fileName = `${name}_${call.standing.customerNumber}_${dayIn(call.timeZone, call.now)}.csv`
  return csvListAnswer(call, fileName, { source, scope: scope(call), columns })
}
