/**
 * Operations that are not called by POST at the path of their name. Browsers load this file instead of the declarations,
 * whose schemas they have no use for. Operations outside of /api, which no browser calls, declare their address themselves.
 */
const ADDRESSES: Readonly<Record<string, string>> = {
  'alerts/create': 'POST /api/alerts',
  'alerts/edit': 'PUT /api/alerts/:id',
  'alerts/resolve': 'POST /api/alerts/:id/resolve',
  'audit/checkpoints': 'GET /api/audit/checkpoints',
  'audit/lines': 'GET /api/audit/export',
  'audit/exports/start': 'POST /api/audit/exports',
  'emails/delete': 'DELETE /api/emails/:id',
  'emails/attachment': 'GET /api/emails/:id/attachments/:position',
  'emails/body': 'GET /api/emails/:id/body',
  'emails/resend': 'POST /api/emails/:id/resend',
  environment: 'GET /api/environment',
  getFeatures: 'GET /api/featureflag/features',
  setFeatures: 'POST /api/featureflag/features',
  getPreferences: 'GET /api/featureflag/pref',
  savePreferences: 'POST /api/featureflag/pref',
  'fetchUsage/exports/start': 'POST /api/fetchUsage/exports',
  getBuildInfo: 'GET /api/getBuildInfo',
  getUserDetails: 'GET /api/getUserDetails',
  getaccountinfo: 'GET /api/getaccountinfo/:customerNumber',
  'home/accounts': 'GET /api/home/accounts',
  lastupdatedon: 'GET /api/lastupdatedon',
  'license-servers/options/file': 'GET /api/license-servers/options/file',
  'license-use/free': 'GET /api/license-use/free',
  'license-use/metrics': 'GET /api/license-use/metrics',
  'notifications/active': 'GET /api/notifications',
  'notifications/one': 'GET /api/notifications/:id',
  'notifications/stream': 'GET /api/notifications/stream',
  'outbox/resend': 'POST /api/outbox/:id/resend',
  getRecentAccounts: 'GET /api/recentaccounts',
  noteOpenedAccount: 'POST /api/recentaccounts',
  setup: 'GET /api/setup',
  tasks: 'GET /api/tasks',
  'tasks/delete': 'DELETE /api/tasks/:id',
  'tasks/status': 'GET /api/tasks/:id',
  'tasks/file': 'GET /api/tasks/:id/file',
  upkeep: 'GET /api/upkeep',
}

export type Address = { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: string }

/** How an operation below /api is called. */
export function addressOf(name: string): Address {
  const [method, path] = (ADDRESSES[name] ?? `POST /api/${name}`).split(' ') as [Address['method'], string]
  return { method, path }
}
