import * as optimization from '#contract/optimization/optimization.ts'
import {
  exportOptimization,
  getOptimization,
  getOptimizationPdf,
} from '#server/modules/optimization/optimization-report.ts'
import type { Route } from '#server/operations/route.ts'

export function optimizationRoutes(route: Route): void {
  route(optimization.getOptimization, getOptimization)
  route(optimization.exportOptimization, exportOptimization)
  route(optimization.getOptimizationPdf, getOptimizationPdf)
}
