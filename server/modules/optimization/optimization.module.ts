import * as optimization from '#contract/optimization/optimization.ts'
import type { Module } from '#server/modules/module.ts'
import {
  exportOptimization,
  getOptimization,
  getOptimizationPdf,
} from '#server/modules/optimization/optimization-report.ts'
import type { Route } from '#server/operations/route.ts'

export const optimizationModule: Module = {
  name: 'optimization',
  mayUse: ['accounts', 'elastic', 'fsa', 'web-licenses'],
  routes,
}

function routes(route: Route): void {
  route(optimization.getOptimization, getOptimization)
  route(optimization.exportOptimization, exportOptimization)
  route(optimization.getOptimizationPdf, getOptimizationPdf)
}
