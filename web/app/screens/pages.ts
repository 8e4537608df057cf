import type { ComponentType } from 'react'
import type { ScreenPath } from '#web/app/screens/screens.ts'

/** A module that exports `Page`, loaded when the screen is first opened. */
type LoadPage = () => Promise<{ Page: ComponentType }>

const assignments = () => import('#web/modules/web-licenses/assignments.page.tsx')

/** The page of every screen. */
const PAGES: Record<ScreenPath, LoadPage> = {
  home: () => import('#web/app/home/home.page.tsx'),
  ssl: () => import('#web/modules/entitlements/leases.page.tsx'),
  elastic: () => import('#web/modules/elastic/balances/balances.page.tsx'),
  entitlementsFSA: () => import('#web/modules/fsa/fsa.page.tsx'),
  activations: () => import('#web/modules/activations/activations.page.tsx'),
  'activations-history': () => import('#web/modules/activations/history/activations-history.page.tsx'),
  'license-use': () => import('#web/modules/license-use/license-use.page.tsx'),
  'license-servers/:id': () => import('#web/modules/activations/hosts/license-server.page.tsx'),
  'web-assignments': async () => ({ Page: (await assignments()).AssignmentsPage }),
  f1202990: async () => ({ Page: (await assignments()).GroupsPage }),
  'web-transactions': () => import('#web/modules/web-licenses/web-transactions.page.tsx'),
  'web-reporting': () => import('#web/modules/web-licenses/report/web-reporting.page.tsx'),
  optimization: () => import('#web/modules/optimization/optimization.page.tsx'),
  statementv2: () => import('#web/modules/elastic/statements/statement.page.tsx'),
  'elastic-denials': () => import('#web/modules/elastic/sessions/denials.page.tsx'),
  transactions: () => import('#web/modules/elastic/usage/usage-transactions.page.tsx'),
  portalaccess: () => import('#web/modules/settings/portal-access.page.tsx'),
  clscredentials: () => import('#web/modules/elastic/credentials/credentials.page.tsx'),
  whitelistips: () => import('#web/modules/elastic/credentials/ip-settings.page.tsx'),
  tokens: () => import('#web/modules/tokens/tokens.page.tsx'),
  webhooks: () => import('#web/modules/webhooks/webhooks.page.tsx'),
  reminders: () => import('#web/modules/reminders/reminders.page.tsx'),
  planner: () => import('#web/modules/planner/planner.page.tsx'),
  requests: () => import('#web/modules/requests/requests.page.tsx'),
  'my-requests': () => import('#web/modules/requests/own-requests.page.tsx'),
  audit: () => import('#web/modules/audit/audit.page.tsx'),
  emails: () => import('#web/modules/messages/emails.page.tsx'),
  'emails/:id': () => import('#web/modules/messages/email.page.tsx'),
  notifications: () => import('#web/modules/messages/alerts.page.tsx'),
  operations: () => import('#web/modules/upkeep/operations.page.tsx'),
  'notifications-category/:category': () => import('#web/modules/messages/alerts-by-category.page.tsx'),
  'notification-details/:id': () => import('#web/modules/messages/alert-details.page.tsx'),
}

export function pageAt(path: ScreenPath): LoadPage {
  return PAGES[path]
}
