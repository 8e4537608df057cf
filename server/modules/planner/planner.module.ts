import * as planner from '#contract/planner/planner.ts'
import type { Module } from '#server/modules/module.ts'
import { draftRenewalPlan } from '#server/modules/planner/draft-plan.ts'
import { getPlanner } from '#server/modules/planner/load-planner.ts'
import { exportRenewalPlan, getRenewalPlanPdf } from '#server/modules/planner/plan-files.ts'
import { listPlanRows } from '#server/modules/planner/planner.queries.ts'
import { removeRenewalPlan, saveRenewalPlan, toSavedPlan } from '#server/modules/planner/renewal-plans.ts'
import { getWhatIf } from '#server/modules/planner/what-if.ts'
import type { Route } from '#server/operations/route.ts'

export const plannerModule: Module = {
  name: 'planner',
  mayUse: ['accounts', 'entitlements', 'elastic', 'fsa', 'web-licenses', 'license-use'],
  routes,
}

function routes(route: Route): void {
  route(planner.getPlanner, getPlanner)
  route(planner.getWhatIf, getWhatIf)
  route(planner.listRenewalPlans, async ({ db, standing }) => ({
    data: (await listPlanRows(db, standing.customerNumber)).map(toSavedPlan),
  }))
  route(planner.saveRenewalPlan, saveRenewalPlan)
  route(planner.removeRenewalPlan, removeRenewalPlan)
  route(planner.exportRenewalPlan, exportRenewalPlan)
  route(planner.getRenewalPlanPdf, getRenewalPlanPdf)
  route(planner.draftRenewalPlan, draftRenewalPlan)
}
