import { can } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { chooseRehostTarget, hasSameName } from '#domain/activations/hosts/host-duplicates.ts'
import { hostState } from '#domain/activations/hosts/host-list.ts'
import { notActiveText } from '#domain/activations/plans/host-plan.ts'
import { planDeactivate, planRehost } from '#domain/activations/plans/move-plan.ts'
import { seatGoals } from '#domain/activations/plans/plan.ts'
import { seatedRows } from '#domain/activations/seats/activation-lists.ts'
import { deactivateChanges, isHostLeft, rehostChanges } from '#domain/activations/seats/seat-changes.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { refuseSharedElsewhere } from '#server/modules/activations/hosts/group-steps.ts'
import { findHost, type HostRow, loadHostUse, type NamedHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import {
  identityOf,
  readHost,
  readMachine,
  requireHost,
  toHostIdentity,
  toNamedHost,
} from '#server/modules/activations/hosts/named-host.ts'
import { listMembers } from '#server/modules/activations/hosts/shared-server.queries.ts'
import type { PlannedFile } from '#server/modules/activations/license-files/preview-file.ts'
import {
  type DraftCall,
  heldSeats,
  isKept,
  type KeptRow,
  loadHoldings,
  loadPlanCustomers,
  type PlanCustomer,
  type PlanDraft,
  type PlannedChange,
  seatDeltas,
} from '#server/modules/activations/plans/plan-draft.ts'
import { requireRehosting } from '#server/modules/activations/seats/seat-refusals.ts'

type OnHost = { readonly hostId: string; readonly hostIdType: string; readonly kept?: readonly KeptRow[] }

/** Returns all seats of a host. */
export async function draftDeactivation(call: DraftCall, body: OnHost): Promise<PlanDraft> {
  const source = await loadSource(call, body)
  const changes = source.changesOf(deactivateChanges)
  return { action: 'DEACTIVATE', ...draftReturn(call, source, changes) }
}

/** Returns the seats of one customer, even if rules forbid it. */
export async function draftForcedReturn(call: DraftCall, body: OnHost & { reason?: string }): Promise<PlanDraft> {
  const source = await loadSource(call, body, { isAlone: true })
  const changes = source.changesOf(deactivateChanges)
  const draft = draftReturn(call, source, changes)
  const request = { ...draft.request, ...(body.reason === undefined ? {} : { reason: body.reason }) }
  return { ...draft, action: 'FORCE_RETURN', request }
}

/** Moves all seats of a host to another one. */
export async function draftRehost(
  call: DraftCall,
  body: OnHost & { target: HostIdentity & { portNumber?: number } },
): Promise<PlanDraft> {
  requireRehosting(call.services.config)
  const named = readHost(body.target, 'rehost')
  const source = await loadSource(call, body)
  const target = await chooseTarget(call, named, source.customers)
  const changes = source.changesOf(rehostChanges)
  const withServer = changes.map((one) => (one.kind === 'activate' ? { ...one, server: target } : one))
  const goals = seatGoals(source.customers, withServer)
  const becomesInactive = isHostLeft(withServer)
  const covered = source.customers.map(({ customerNumber }) => customerNumber)
  await refuseSharedElsewhere(call.db, covered, covered, named)
  const members = await listMembers(call.db, call.standing.customerNumber, named)
  const steps = planRehost({ goals, isSourceLeft: becomesInactive }, source, { host: target, held: [], members })
  const hasArrivals = ({ customerNumber }: PlanCustomer) =>
    goals.some((goal) => goal.customerNumber === customerNumber && goal.wanted.length > 0)
  const arriving = source.customers.filter(hasArrivals)
  const targetFile: PlannedFile = {
    named: { ...named, hostId: target.serverId, hostName: target.serverName },
    // The first customer must have licenses in the file.
    customers: [...new Set([...arriving, ...source.customers])],
    isBorrowable: source.host_row.is_borrowable,
    changes: seatDeltas(withServer.filter(({ kind }) => kind === 'activate')),
  }
  return {
    action: 'REHOST',
    request: {
      source: source.host,
      target: { ...target, port: named.port },
      customers: covered,
    },
    changes: withServer,
    steps,
    machines: [source.machine, named].flatMap((machine) =>
      source.customers.map(({ customerNumber }) => ({ customerNumber, machine })),
    ),
    reserved: goals.flatMap(({ customerNumber, wanted }) =>
      wanted.map(({ activationId }) => ({ customerNumber, activationId, seats: 0 })),
    ),
    becomesInactive,
    leavingMembers: source.group.filter((member) => !covered.includes(member.customerNumber)),
    mayOverrideMaintenance: mayOverride(call),
    files: [...(arriving.length ? [targetFile] : []), ...(becomesInactive ? [] : [sourceFile(source, withServer)])],
  }
}

type Source = Awaited<ReturnType<typeof loadSource>>

/** The host and the seats of its customers on it; with `alone`, only the customer that the call is about. */
async function loadSource(call: DraftCall, body: OnHost, { isAlone = false } = {}) {
  const { db, standing } = call
  const row = await requireHost(db, standing.customerNumber, readMachine(body.hostId, body.hostIdType))
  const host = toHostIdentity(row)
  if (hostState(await loadHostUse(db, row)) !== 'Active')
    throw new BusinessRefusal('HOST_NOT_ACTIVE', notActiveText(host))
  const machine = toNamedHost(row)
  const { customers: all, group } = await loadPlanCustomers(call, machine)
  const customers = isAlone ? all.slice(0, 1) : all
  const holdings = await loadHoldings(db, customers, machine)
  const ofCustomer = ({ customerNumber }: PlanCustomer) =>
    holdings.filter((one) => one.customerNumber === customerNumber)
  const seated = customers.map((one) => ({ ...one, seated: seatedRows(ofCustomer(one), one.today) }))
  return {
    host,
    host_row: row,
    machine,
    customers,
    group,
    members: group.map(({ customerNumber }) => customerNumber),
    held: heldSeats(holdings),
    changesOf(rule: typeof deactivateChanges): PlannedChange[] {
      const changes = seated.flatMap((one) => rule([one], one.today)).map((one) => ({ ...one, server: host }))
      return changes.map((one) => ({ ...one, isTicked: !isKept(body.kept, one) }))
    },
  }
}

function draftReturn(call: DraftCall, source: Source, changes: readonly PlannedChange[]): Omit<PlanDraft, 'action'> {
  const goals = seatGoals(source.customers, changes)
  const becomesInactive = isHostLeft(changes)
  const steps = planDeactivate({ host: source.host, goals, isHostLeft: becomesInactive }, source)
  return {
    request: {
      source: source.host,
      target: null,
      customers: source.customers.map(({ customerNumber }) => customerNumber),
    },
    changes,
    steps,
    machines: source.customers.map(({ customerNumber }) => ({ customerNumber, machine: source.machine })),
    reserved: [],
    becomesInactive,
    mayOverrideMaintenance: mayOverride(call),
    files: becomesInactive ? [] : [sourceFile(source, changes)],
  }
}

function sourceFile({ customers, host_row, machine }: Source, changes: readonly PlannedChange[]): PlannedFile {
  return {
    named: machine,
    customers,
    isBorrowable: host_row.is_borrowable,
    changes: seatDeltas(changes.filter(({ kind }) => kind === 'deactivate')),
  }
}

/** The target must hold no seats of anybody whose seats come to it. Where the account knows it, it keeps its name. */
async function chooseTarget(
  { db, standing }: DraftCall,
  named: NamedHost,
  customers: readonly PlanCustomer[],
): Promise<HostIdentity> {
  const wanted = identityOf(named)
  let target = wanted
  for (const { customerNumber } of customers) {
    const row: HostRow | undefined = await findHost(db, customerNumber, named)
    if (!row) continue
    const known = { ...toHostIdentity(row), state: hostState(await loadHostUse(db, row)) }
    const choice = chooseRehostTarget(wanted, [known])
    if (choice.kind === 'refused')
      throw new BusinessRefusal(hasSameName(known, wanted) ? 'HOST_ACTIVE' : 'HOST_IN_USE', choice.message)
    if (customerNumber === standing.customerNumber) target = toHostIdentity(row)
  }
  return target
}

const mayOverride = ({ actor, standing }: DraftCall) => can(actor, 'activations.override-maintenance', standing).allowed
