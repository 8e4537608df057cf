import * as elasticEntitlements from '#contract/elastic/balances/elastic-entitlements.ts'
import * as forecast from '#contract/elastic/balances/run-out-forecast.ts'
import * as credentials from '#contract/elastic/credentials/credentials.ts'
import { activatedElasticServers, elasticDevice } from '#contract/elastic/credentials/elastic-servers.ts'
import * as pinLocks from '#contract/elastic/credentials/pin-locks.ts'
import * as limits from '#contract/elastic/limits/limits.ts'
import { denialList } from '#contract/elastic/sessions/denial-list.ts'
import * as elasticSessions from '#contract/elastic/sessions/elastic-sessions.ts'
import * as chargeback from '#contract/elastic/statements/chargeback.ts'
import * as mailedStatements from '#contract/elastic/statements/mailed-statements.ts'
import * as statements from '#contract/elastic/statements/statements.ts'
import { lastUpdatedOn } from '#contract/elastic/usage/last-updated-on.ts'
import { sendUsage as sendUsageOperation } from '#contract/elastic/usage/send-usage.ts'
import * as usageExports from '#contract/elastic/usage/usage-exports.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { successJson } from '#server/http/envelope.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { loadMonthlyDraw } from '#server/modules/elastic/balances/elastic-entitlements.queries.ts'
import { loadElasticJson } from '#server/modules/elastic/balances/elastic-entitlements.ts'
import { exportElastic } from '#server/modules/elastic/balances/export-elastic.ts'
import { getRunOutForecast } from '#server/modules/elastic/balances/run-out.ts'
import { changePin as changeServerPin } from '#server/modules/elastic/credentials/change-pin.ts'
import { loadIpRules, loadUsernames } from '#server/modules/elastic/credentials/credentials.queries.ts'
import {
  findNewestUsageArrival,
  listElasticServers,
} from '#server/modules/elastic/credentials/elastic-servers.queries.ts'
import { getPin as findOrMakePin } from '#server/modules/elastic/credentials/get-pin.ts'
import { findNamedServer } from '#server/modules/elastic/credentials/named-server.ts'
import { listPinLocks, unlockPin } from '#server/modules/elastic/credentials/pin-locks.ts'
import { createPinTurns } from '#server/modules/elastic/credentials/pin-turns.ts'
import { saveIpRules } from '#server/modules/elastic/credentials/save-ip-rules.ts'
import { saveUsernames } from '#server/modules/elastic/credentials/save-usernames.ts'
import { elasticJobs, elasticTasks } from '#server/modules/elastic/elastic.jobs.ts'
import { exportLimits, getLimits } from '#server/modules/elastic/limits/get-limits.ts'
import { replayLimits } from '#server/modules/elastic/limits/replay-limits.ts'
import { saveLimits } from '#server/modules/elastic/limits/save-limits.ts'
import { denialSource, exportDenials } from '#server/modules/elastic/sessions/denial.list.ts'
import { endSession, sendHeartbeat } from '#server/modules/elastic/sessions/keep-session.ts'
import { startInTurn, startSession } from '#server/modules/elastic/sessions/start-session.ts'
import {
  emailChargebackFiles,
  exportChargeback,
  getChargeback,
  getChargebackPdf,
} from '#server/modules/elastic/statements/chargeback.ts'
import { emailStatement } from '#server/modules/elastic/statements/email-statement.ts'
import {
  emailForecastFiles,
  exportForecast,
  getForecastPdf,
} from '#server/modules/elastic/statements/forecast-files.ts'
import {
  exportMailedStatements,
  mailedStatementSource,
} from '#server/modules/elastic/statements/mailed-statement.list.ts'
import {
  emailStatementFiles,
  exportStatement,
  getStatementPdf,
} from '#server/modules/elastic/statements/statement-files.ts'
import { getStatementSchedule, saveStatementSchedule } from '#server/modules/elastic/statements/statement-schedule.ts'
import { getMailedStatement, getStatement } from '#server/modules/elastic/statements/statements.ts'
import { exportUsage } from '#server/modules/elastic/usage/export-usage.ts'
import { sendUsage } from '#server/modules/elastic/usage/send-usage.ts'
import { startUsageExport } from '#server/modules/elastic/usage/start-usage-export.ts'
import { usageSource } from '#server/modules/elastic/usage/usage.list.ts'
import { findArchivedBefore } from '#server/modules/elastic/usage/usage-archive.queries.ts'
import { emailUsageFiles, getUsagePdf } from '#server/modules/elastic/usage/usage-report.ts'
import { loadWideUsageScope, usageScope } from '#server/modules/elastic/usage/usage-scope.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export const elasticModule: Module = {
  name: 'elastic',
  mayUse: ['accounts', 'entitlements'],
  jobs: elasticJobs,
  tasks: elasticTasks,
  routes,
}

function routes(route: Route): void {
  route(elasticEntitlements.getEntitlements, async ({ body, db }) =>
    successJson(await loadElasticJson(db, body.customerNumber)),
  )
  route(elasticEntitlements.getMonthlyDraw, async ({ body, db }) => ({
    data: await loadMonthlyDraw(db, body.customerNumber, body.activationId),
  }))
  route(elasticEntitlements.exportElasticEntitlements, exportElastic)
  route(statements.getStatement, getStatement)
  route(statements.getStatementPdf, getStatementPdf)
  route(statements.exportStatement, exportStatement)
  route(statements.emailStatementFiles, emailStatementFiles)
  route(chargeback.getChargeback, getChargeback)
  route(chargeback.exportChargeback, exportChargeback)
  route(chargeback.getChargebackPdf, getChargebackPdf)
  route(chargeback.emailChargebackFiles, emailChargebackFiles)
  route(forecast.getRunOutForecast, getRunOutForecast)
  route(forecast.exportForecast, exportForecast)
  route(forecast.getForecastPdf, getForecastPdf)
  route(forecast.emailForecastFiles, emailForecastFiles)
  route(mailedStatements.emailWeek, (call) => emailStatement(call, 'weekly'))
  route(mailedStatements.emailMonth, (call) => emailStatement(call, 'monthly'))
  routeList(route, mailedStatements.mailedStatementList, {
    source: mailedStatementSource,
    scope: ({ standing }) => ({ customerNumber: standing.customerNumber }),
    exportCsv: exportMailedStatements,
  })
  route(mailedStatements.getMailedStatement, getMailedStatement)
  route(mailedStatements.getStatementSchedule, getStatementSchedule)
  route(mailedStatements.saveStatementSchedule, saveStatementSchedule)

  routeList(route, usageList, {
    source: usageSource,
    scope: ({ body, standing }) => usageScope(standing, body),
    wideScope: ({ body, db, standing }) => loadWideUsageScope(db, standing, body),
    exportCsv: exportUsage,
  })
  route(usageExports.startUsageExport, startUsageExport)
  route(usageExports.getUsagePdf, getUsagePdf)
  route(usageExports.emailUsageFiles, emailUsageFiles)

  route(elasticSessions.startSession, startSession, { waitForTurn: startInTurn(createPinTurns()) })
  route(elasticSessions.sendHeartbeat, sendHeartbeat)
  route(elasticSessions.endSession, endSession)
  route(sendUsageOperation, sendUsage)
  routeList(route, denialList, {
    source: denialSource,
    scope: ({ standing }) => ({ customerNumber: standing.customerNumber }),
    exportCsv: exportDenials,
  })
  route(pinLocks.listPinLocks, listPinLocks)
  route(pinLocks.unlockPin, unlockPin)

  route(lastUpdatedOn, async ({ db, standing }) => {
    const newest = await findNewestUsageArrival(db, standing?.customerNumber ?? null)
    const archivedBefore = await findArchivedBefore(db)
    return { data: null, lastUpdatedOn: newest?.toISOString() ?? null, archivedBefore }
  })
  route(elasticDevice, async ({ db, standing }) => {
    const [first] = await listElasticServers(db, standing.customerNumber)
    if (!first) throw new BusinessRefusal('NO_ELASTIC_SERVER', 'This account has no elastic license server.')
    return { data: { deviceId: first.device_id, alias: first.alias } }
  })
  route(activatedElasticServers, async ({ db, standing }) => {
    const servers = await listElasticServers(db, standing.customerNumber)
    return { data: servers.map((server) => ({ DeviceID: server.device_id, Alias: server.alias })) }
  })

  route(credentials.getPin, findOrMakePin)
  route(credentials.changePin, changeServerPin)
  route(credentials.getUsers, async (call) => ({
    data: await loadUsernames(call.db, await findNamedServer(call)),
  }))
  route(credentials.saveUsers, saveUsernames)
  route(credentials.getIps, async (call) => {
    const { rules, revision } = await loadIpRules(call.db, await findNamedServer(call))
    return { data: { whitelist: credentials.toWhitelist(rules), revision } }
  })
  route(credentials.setIps, saveIpRules)

  route(limits.getLimits, getLimits)
  route(limits.saveLimits, saveLimits)
  route(limits.replayLimits, replayLimits)
  route(limits.exportLimits, exportLimits)
}
