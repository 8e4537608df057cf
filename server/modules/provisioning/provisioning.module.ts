import type { Module } from '#server/modules/module.ts'
import { applyHeldBack } from '#server/modules/provisioning/access/apply-held-back.ts'
import { scimRoutes } from '#server/modules/provisioning/scim/scim.routes.ts'
import { screenRoutes } from '#server/modules/provisioning/screen/screen.routes.ts'
import { defineJob } from '#server/tasks/job.ts'

const heldBackJob = defineJob({
  queue: 'provisioning-held-back',
  cron: '*/10 * * * *',
  run: (_data, services, { signal }) => applyHeldBack(services, signal),
})

export const provisioningModule: Module = {
  name: 'provisioning',
  mayUse: ['accounts', 'web-licenses', 'leavers'],
  isShared: true,
  jobs: [heldBackJob],
  routes(route, app, services) {
    scimRoutes(route, app, services)
    screenRoutes(route)
  },
}
