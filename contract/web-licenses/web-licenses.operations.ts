import { operationsOf } from '#contract/kit/operations-of.ts'
import * as webAssignments from '#contract/web-licenses/web-assignments.ts'
import * as webCheckoutLists from '#contract/web-licenses/web-checkout-lists.ts'
import * as webCheckouts from '#contract/web-licenses/web-checkouts.ts'
import * as webGroups from '#contract/web-licenses/web-groups.ts'
import * as webLists from '#contract/web-licenses/web-lists.ts'
import * as webReport from '#contract/web-licenses/web-report.ts'
import * as webUsers from '#contract/web-licenses/web-users.ts'

export const webLicensesOperations = operationsOf(
  webAssignments,
  webCheckoutLists,
  webCheckouts,
  webGroups,
  webLists,
  webReport,
  webUsers,
)
