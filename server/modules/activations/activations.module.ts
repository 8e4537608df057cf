import type { FastifyInstance } from 'fastify'
import * as history from '#contract/activations/history/history.ts'
import { fulfillmentHosts } from '#contract/activations/hosts/hosts-with-seats.ts'
import { getServer, listServers } from '#contract/activations/hosts/servers.ts'
import * as shared from '#contract/activations/hosts/shared-server.ts'
import { uploadServerId } from '#contract/activations/hosts/upload-server-id.ts'
import * as files from '#contract/activations/license-files/license-files.ts'
import * as plans from '#contract/activations/plans/host-plans.ts'
import * as start from '#contract/activations/plans/start-plans.ts'
import { allEntitlements, serverEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { successJson } from '#server/http/envelope.ts'
import { HttpError } from '#server/http/http-error.ts'
import { hostHistorySource } from '#server/modules/activations/history/host-history.list.ts'
import { getHistory, getTimeline, hostHistoryScope } from '#server/modules/activations/history/read-history.ts'
import * as group from '#server/modules/activations/hosts/change-group.ts'
import { exportServers } from '#server/modules/activations/hosts/export-servers.ts'
import { loadGroup, toWireMember } from '#server/modules/activations/hosts/group-members.ts'
import { listHostsWithSeats } from '#server/modules/activations/hosts/hosts.queries.ts'
import * as servers from '#server/modules/activations/hosts/list-servers.ts'
import { readMachine, requireHost } from '#server/modules/activations/hosts/named-host.ts'
import { emailLicense } from '#server/modules/activations/license-files/email-license.ts'
import { generateLicense } from '#server/modules/activations/license-files/generate-license.ts'
import { createLicenseThreads, type LicenseThreads } from '#server/modules/activations/license-files/license-threads.ts'
import * as kept from '#server/modules/activations/license-files/read-license-files.ts'
import { verifyLicense } from '#server/modules/activations/license-files/verify-license.ts'
import { activationsJobs } from '#server/modules/activations/plans/carry-out-plan.ts'
import { draftDeactivation, draftForcedReturn, draftRehost } from '#server/modules/activations/plans/draft-move.ts'
import { draftRegeneration } from '#server/modules/activations/plans/draft-regeneration.ts'
import { draftRenewal } from '#server/modules/activations/plans/draft-renewal.ts'
import { toDoneChanges, toHostPlan } from '#server/modules/activations/plans/host-plans.mapping.ts'
import { listDoneSeats, listPlanRows } from '#server/modules/activations/plans/host-plans.queries.ts'
import { getPlanFiles } from '#server/modules/activations/plans/plan-files.ts'
import { previewPlan, previewSave } from '#server/modules/activations/plans/preview-plan.ts'
import { findSaveBasis } from '#server/modules/activations/plans/save-basis.ts'
import { startMove, startSave } from '#server/modules/activations/plans/start-plan.ts'
import * as seats from '#server/modules/activations/seats/change-seats.ts'
import { loadActivatableJson, loadActivationsOnMachineJson } from '#server/modules/activations/seats/seats.queries.ts'
import type { Module } from '#server/modules/module.ts'
import type { Route } from '#server/operations/route.ts'
import { routeList } from '#server/operations/route-list.ts'

export const activationsModule: Module = {
  name: 'activations',
  mayUse: ['accounts', 'entitlements'],
  jobs: activationsJobs,
  routes,
}

function routes(route: Route, app: FastifyInstance): void {
  const threads = createLicenseThreads()
  app.addHook('onClose', () => threads.close())
  hostRoutes(route, threads)
  historyRoutes(route)
  route(createFulfillments, seats.createFulfillments)
  route(returnFulfillments, seats.returnFulfillments)
  route(shared.serverCustomers, async ({ actor, body, db, standing }) => {
    const machine = readMachine(body.hostId, body.hostIdType)
    await requireHost(db, standing.customerNumber, machine)
    return { data: (await loadGroup(db, actor, standing.customerNumber, machine)).map(toWireMember) }
  })
  route(shared.overrideCustomers, group.overrideCustomers)
  route(shared.setSharedServer, group.setSharedServer)
  route(shared.deactivateSharedServer, group.deactivateSharedServer)
  route(shared.removeSharedServer, group.removeServer)
  planRoutes(route)
  route(files.generateLicense, generateLicense)
  route(files.downloadLicense, kept.downloadLicense)
  route(files.emailLicense, emailLicense)
  route(files.listLicenseFiles, kept.listLicenseFiles)
  route(files.getLicenseFile, kept.getLicenseFile)
  route(files.compareLicenseFiles, kept.compareLicenseFiles)
  route(files.verifyLicense, async ({ actor, body, db }) => ({
    data: await verifyLicense(db, threads, body.file, actor),
  }))
}

function hostRoutes(route: Route, threads: LicenseThreads): void {
  route(uploadServerId, async ({ body }) => {
    const { server, port } = await threads.read(body.file)
    return { data: { ...server, portNumber: port } }
  })
  route(listServers, async ({ body, db, now, timeZone }) => ({
    data: await servers.listServers(db, body.customerNumber, dayIn(timeZone, now)),
  }))
  route(getServer, async ({ body, db, now, timeZone }) => ({
    data: await servers.getServer(db, body.customerNumber, readMachine(body.serverId), dayIn(timeZone, now)),
  }))
  route(fulfillmentHosts, async ({ body, db }) => {
    const hosts = await listHostsWithSeats(db, body.customerNumber, body.activationId)
    if (!hosts) throw new HttpError(404, `There is no activation ${body.activationId}`)
    return { data: hosts.map(servers.toSeatsOnHost) }
  })
  route(serverEntitlements, async ({ body, db, now, timeZone }) => {
    const { customerNumber, serverId, activeOnly, sumOnly } = body
    const customer = { customerNumber, today: dayIn(timeZone, now) }
    const options = { activeOnly, sumOnly, withActivatable: !activeOnly }
    const machine = readMachine(serverId)
    // Before the seats: a save in between is a conflict later, and never unnoticed.
    const basis = await findSaveBasis(db, customerNumber, machine)
    return successJson(await loadActivationsOnMachineJson(db, [customer], machine, options), { basis })
  })
  route(allEntitlements, async ({ actor, body, db, now, timeZone }) => {
    const { customerNumber, serverId, activeOnly, sumOnly } = body
    const own = { customerNumber, today: dayIn(timeZone, now) }
    if (!serverId) return successJson(await loadActivatableJson(db, own))
    const machine = readMachine(serverId)
    const members = await loadGroup(db, actor, customerNumber, machine)
    const others = members
      .filter((one) => one.isReadable && one.customerNumber !== customerNumber)
      .map((one) => ({ customerNumber: one.customerNumber, today: dayIn(one.account.timeZone, now) }))
    return successJson(await loadActivationsOnMachineJson(db, [own, ...others], machine, { activeOnly, sumOnly }))
  })
}

function historyRoutes(route: Route): void {
  routeList(route, history.hostHistoryList, { source: hostHistorySource, scope: hostHistoryScope })
  route(history.getHistory, getHistory)
  route(history.exportServers, exportServers)
  route(history.hostTimeline, getTimeline)
}

function planRoutes(route: Route): void {
  route(plans.previewPlan, previewPlan)
  route(plans.previewSave, previewSave)
  route(plans.getPlan, async ({ body, db, standing }) => {
    const [row] = await listPlanRows(db, standing.customerNumber, body.id)
    if (!row) throw new HttpError(404, 'There is no such plan')
    const plan = toHostPlan(row)
    if (plan.finishedAt === null) return { data: plan }
    const done = await listDoneSeats(db, { customerNumber: standing.customerNumber, id: body.id })
    return { data: { ...plan, changes: toDoneChanges(done) } }
  })
  route(plans.getPlanFiles, getPlanFiles)
  route(plans.listPlans, async ({ db, standing }) => ({
    data: (await listPlanRows(db, standing.customerNumber)).map(toHostPlan),
  }))
  const { rehostServer, deactivateServer, forceReturn, renewEntitlements, regenerateFiles, saveActivations } = start
  route(rehostServer, (call) => startMove(call, rehostServer.name, () => draftRehost(call, call.body)))
  route(deactivateServer, (call) => startMove(call, deactivateServer.name, () => draftDeactivation(call, call.body)))
  route(forceReturn, (call) => startMove(call, forceReturn.name, () => draftForcedReturn(call, call.body)))
  route(renewEntitlements, (call) => startMove(call, renewEntitlements.name, () => draftRenewal(call, call.body)))
  route(regenerateFiles, (call) => startMove(call, regenerateFiles.name, () => draftRegeneration(call)))
  route(saveActivations, (call) => startSave(call, saveActivations.name))
}
