import type { FastifyInstance } from 'fastify'
import { environment, getBuildInfo } from '#contract/settings/environment.ts'
import { getFeatures, setFeatures } from '#contract/settings/features.ts'
import { getPortalAccess, setPortalAccess } from '#contract/settings/portal-access.ts'
import { getAccountSwitches, setAccountSwitches } from '#contract/settings/portal-access-switches.ts'
import { getPreferences, savePreferences } from '#contract/settings/preferences.ts'
import type { RuntimeConfig } from '#contract/settings/runtime-config.ts'
import { addView, changeView, listViews, removeView } from '#contract/settings/table-views.ts'
import { startViewing, stopViewing } from '#contract/settings/view-as.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import type { Config } from '#server/config.ts'
import { listSignIns, loadSwitches } from '#server/modules/accounts/accounts.public.ts'
import type { Module } from '#server/modules/module.ts'
import { listManagedContacts } from '#server/modules/provisioning/provisioning.public.ts'
import { listFeatures } from '#server/modules/settings/features.queries.ts'
import { listPreferences } from '#server/modules/settings/preferences.queries.ts'
import { savePreferences as save } from '#server/modules/settings/save-preferences.ts'
import { setFeatures as choose } from '#server/modules/settings/set-features.ts'
import {
  setPortalAccess as setContacts,
  setAccountSwitches as setSwitches,
} from '#server/modules/settings/set-portal-access.ts'
import {
  addView as add,
  changeView as change,
  listViews as list,
  removeView as remove,
} from '#server/modules/settings/table-views.ts'
import { startView, stopView } from '#server/modules/settings/view-as.ts'
import type { Route } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

export const settingsModule: Module = {
  name: 'settings',
  mayUse: ['accounts'],
  isShared: true,
  routes,
}

function routes(route: Route, app: FastifyInstance, { config }: Services): void {
  app.get('/config.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(runtimeConfig(config)),
  )
  route(environment, async () => ({ data: config.environment }))
  route(getBuildInfo, async () => ({ data: BUILD_INFO.text }))
  route(getFeatures, async ({ actor, db }) => ({
    data: await listFeatures(db, config.environment === 'prod' ? null : actor.email),
  }))
  route(setFeatures, choose)
  route(startViewing, startView)
  route(stopViewing, stopView)
  route(getPreferences, async ({ actor, db }) => ({ data: await listPreferences(db, actor) }))
  route(savePreferences, save)
  route(listViews, list)
  route(addView, add)
  route(changeView, change)
  route(removeView, remove)
  route(getPortalAccess, async ({ standing: { customerNumber }, db }) => {
    const managed = await listManagedContacts(db, customerNumber)
    const contacts = await listSignIns(db, customerNumber)
    return { data: contacts.map((contact) => ({ ...contact, isManaged: managed.has(contact.email) })) }
  })
  route(setPortalAccess, setContacts)
  route(getAccountSwitches, async ({ standing, db }) => ({ data: await loadSwitches(db, standing.customerNumber) }))
  route(setAccountSwitches, setSwitches)
}

function runtimeConfig(config: Config): RuntimeConfig {
  return {
    apiUrl: '/api',
    profileEditUrl: config.links.profileEdit,
    documentationUrl: config.links.documentation,
    supportUrl: config.links.support,
    signInUrl: '/auth/login',
    environment: config.environment,
    brand: config.brand,
    alertRefreshMinutes: config.alertRefreshMinutes,
    mailDelivery: config.mail.smtpUrl === undefined ? 'mailbox' : 'smtp',
  }
}
