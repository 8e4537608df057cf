import type { FastifyInstance } from 'fastify'
import { getUpkeep } from '#contract/upkeep/upkeep.ts'
import type { Module } from '#server/modules/module.ts'
import { loadUpkeep } from '#server/modules/upkeep/load-upkeep.ts'
import type { Route } from '#server/operations/route.ts'

export const upkeepModule: Module = {
  name: 'upkeep',
  mayUse: ['accounts', 'elastic'],
  routes,
}

function routes(route: Route, app: FastifyInstance): void {
  route(getUpkeep, async ({ db, services: { config }, now }) => ({
    data: await loadUpkeep({ db, config, now, log: app.log }),
  }))
}
