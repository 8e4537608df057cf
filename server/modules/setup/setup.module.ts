import type { FastifyInstance } from 'fastify'
import { getSetup } from '#contract/setup/get-setup.ts'
import { setupStateFor } from '#domain/setup/setup-steps.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import type { Module } from '#server/modules/module.ts'
import { loadInstalled } from '#server/modules/setup/setup.public.ts'
import type { Route } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

export const setupModule: Module = {
  name: 'setup',
  mayUse: ['accounts', 'staff'],
  routes,
}

function routes(route: Route, _app: FastifyInstance, { config }: Services): void {
  route(getSetup, async ({ actor, db }) => ({
    data: {
      state: setupStateFor(await loadInstalled(db, config), { isStaff: actor.staff.size > 0 }),
      command: BUILD_INFO.command,
    },
  }))
}
