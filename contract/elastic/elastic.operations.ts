import * as elasticEntitlements from '#contract/elastic/balances/elastic-entitlements.ts'
import * as runOutForecast from '#contract/elastic/balances/run-out-forecast.ts'
import * as credentials from '#contract/elastic/credentials/credentials.ts'
import * as elasticServers from '#contract/elastic/credentials/elastic-servers.ts'
import * as pinLocks from '#contract/elastic/credentials/pin-locks.ts'
import * as limits from '#contract/elastic/limits/limits.ts'
import * as denialList from '#contract/elastic/sessions/denial-list.ts'
import * as elasticSessions from '#contract/elastic/sessions/elastic-sessions.ts'
import * as chargeback from '#contract/elastic/statements/chargeback.ts'
import * as mailedStatements from '#contract/elastic/statements/mailed-statements.ts'
import * as statements from '#contract/elastic/statements/statements.ts'
import * as lastUpdatedOn from '#contract/elastic/usage/last-updated-on.ts'
import * as sendUsage from '#contract/elastic/usage/send-usage.ts'
import * as usageExports from '#contract/elastic/usage/usage-exports.ts'
import * as usageList from '#contract/elastic/usage/usage-list.ts'
import { operationsOf } from '#contract/kit/operations-of.ts'

export const elasticOperations = operationsOf(
  elasticEntitlements,
  runOutForecast,
  credentials,
  elasticServers,
  pinLocks,
  limits,
  denialList,
  elasticSessions,
  chargeback,
  mailedStatements,
  statements,
  lastUpdatedOn,
  sendUsage,
  usageExports,
  usageList,
)
