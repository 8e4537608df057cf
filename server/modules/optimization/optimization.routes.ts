import {
  exportOptimization as exportOperation,
  getOptimization as operation,
  getOptimizationPdf as pdfOperation,
} from '#contract/optimization/optimization.ts'
import {
  exportOptimization,
  getOptimization,
  getOptimizationPdf,
} from '#server/modules/optimization/optimization-report.ts'
import type { Route } from '#server/operations/route.ts'

export function optimizationRoutes(route: Route): void {
  route(operation, getOptimization)
  route(exportOperation, exportOptimization)
  route(pdfOperation, getOptimizationPdf)
}
