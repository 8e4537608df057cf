import type { Transaction } from 'kysely'
import { EXPORT_DENIED, isExportApproved } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { type AuditAction, writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { findStandings, type KnownAccount } from '#server/modules/accounts/accounts.public.ts'
import { ensureHost, findHost, type HostRow, saveBorrowable } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost, readMachine } from '#server/modules/activations/hosts/named-host.ts'
import {
  deleteMembers,
  listMembers,
  lockMachine,
  saveGroup,
} from '#server/modules/activations/hosts/shared-server.queries.ts'
import { keepLicenseFile } from '#server/modules/activations/license-files/keep-license-file.ts'
import { loadSigner } from '#server/modules/activations/license-files/signing-keys.ts'
import {
  changeReserved,
  findReservedBy,
  type StoredPlan,
} from '#server/modules/activations/plans/host-plans.queries.ts'
import {
  findFulfilledActivations,
  findHeldSeats,
  insertFulfillments,
} from '#server/modules/activations/seats/seats.queries.ts'
import { lockEntitlements } from '#server/modules/entitlements/entitlements.public.ts'

/** A plan of which one step is done, in the transaction that also notes that it is. */
export type StepContext = { readonly tx: Transaction<DB>; readonly plan: StoredPlan; readonly now: Date }

type StepOf<K extends PlanStep['kind']> = Extract<PlanStep, { kind: K }>
type SeatStep = StepOf<'return' | 'create'>

/**
 * Does one step. Rights were checked when the plan was accepted. Only export compliance is checked again: a customer that
 * was denied since then gets neither seats nor licenses.
 */
export async function performStep(context: StepContext, step: PlanStep): Promise<void> {
  if (step.kind === 'return') return returnSeats(context, step)
  if (step.kind === 'create') return createSeats(context, step)
  if (step.kind === 'deactivate group') return leaveGroup(context, step)
  if (step.kind === 'set group') return setGroup(context, step)
  if (step.kind === 'generate') return generate(context, step)
  // Whether a host is active is what its seats say: marking it is for those who watch.
}

/** Returns what is still there of each fulfillment. Seats that the plan activates again stay in its hands. */
async function returnSeats(context: StepContext, step: SeatStep): Promise<void> {
  const { tx, plan, now } = context
  const { customerNumber, action, activations } = step
  const activationOf = await findFulfilledActivations(
    tx,
    customerNumber,
    activations.map(({ id }) => id),
  )
  const activationIds = [...activationOf.values()]
  await lockEntitlements(tx, customerNumber, activationIds)
  const held = new Map((await findHeldSeats(tx, customerNumber, activationIds)).map((row) => [row.fulfillment_id, row]))
  const rows = activations.flatMap(({ id, count }) => {
    const row = held.get(id)
    const seats = Math.min(row?.seats ?? 0, -count)
    return row && seats > 0 ? [{ activationId: row.activation_id, host: row, count: -seats, returns: id }] : []
  })
  if (rows.length === 0) return
  await insertFulfillments(tx, { customerNumber, action, email: plan.requested_by, now }, rows)
  if (plan.action === 'REHOST')
    await changeReserved(
      tx,
      plan.plan_id,
      customerNumber,
      rows.map(({ activationId, count }) => ({ activationId, seats: -count })),
    )
  await auditStep(context, customerNumber, step, {
    returned: rows.map(({ returns, count }) => ({ id: returns, count })),
  })
}

/** Activates the seats that the plan holds: never more than were returned, or set aside, for it. */
async function createSeats(context: StepContext, step: SeatStep): Promise<void> {
  const { tx, plan, now } = context
  const { customerNumber, action, activations } = step
  await requireApproved(context, customerNumber)
  const host = await takeUpHost(context, customerNumber, step.host)
  const ids = activations.map(({ id }) => id)
  await lockEntitlements(tx, customerNumber, ids)
  const inHand = await findReservedBy(tx, plan.plan_id, customerNumber)
  const rows = activations
    .map(({ id, count }) => ({ activationId: id, host, count: Math.min(count, inHand.get(id) ?? 0) }))
    .filter(({ count }) => count > 0)
  if (rows.length === 0) return
  await changeReserved(
    tx,
    plan.plan_id,
    customerNumber,
    rows.map(({ activationId, count }) => ({ activationId, seats: -count })),
  )
  await insertFulfillments(tx, { customerNumber, action, email: plan.requested_by, now }, rows)
  await auditStep(context, customerNumber, step, {
    created: rows.map(({ activationId, count }) => ({ id: activationId, count })),
  })
}

/** The target of a rehost has the port of the request, and is borrowable if the source was. */
async function takeUpHost({ tx, plan, now }: StepContext, customerNumber: string, identity: HostIdentity) {
  const { source, target } = plan.request
  const named = readHost({ ...identity, ...(target ? { portNumber: target.port } : {}) })
  const host = await ensureHost(tx, customerNumber, named, now)
  if (!target || !source) return host
  const from = await findHost(tx, customerNumber, readMachine(source.serverId, source.serverIdType))
  if (from?.is_borrowable && !host.is_borrowable) await saveBorrowable(tx, host, true)
  return host
}

/** The plan's customers leave the group of the host; a group of one is none. */
async function leaveGroup(context: StepContext, step: StepOf<'deactivate group' | 'override'>): Promise<void> {
  const { tx, plan } = context
  const machine = readMachine(step.host.serverId, step.host.serverIdType)
  await lockMachine(tx, machine)
  const members = await listMembers(tx, step.customerNumber, machine)
  const left = members.filter((one) => !plan.request.customers.includes(one))
  if (left.length === members.length) return
  const after = left.length > 1 ? left : []
  await deleteMembers(
    tx,
    members.filter((one) => !after.includes(one)),
    machine,
  )
  for (const customerNumber of members) await auditStep(context, customerNumber, step, { before: members, after })
}

async function setGroup(context: StepContext, step: StepOf<'set group'>): Promise<void> {
  const { tx, plan, now } = context
  const machine = readMachine(step.host.serverId, step.host.serverIdType)
  await lockMachine(tx, machine)
  const before = await listMembers(tx, step.customerNumber, machine)
  await saveGroup(tx, step.group, machine, { email: plan.requested_by, now })
  for (const customerNumber of new Set([...before, ...step.group]))
    await auditStep(context, customerNumber, step, { before, after: step.group })
}

/** A customer without licenses on the host needs no file. */
async function generate(context: StepContext, step: StepOf<'generate'>): Promise<void> {
  const { tx, plan, now } = context
  const { customerNumber } = step
  const machine = readMachine(step.host.serverId, step.host.serverIdType)
  const host = await findHost(tx, customerNumber, machine)
  if (!host) return
  const group = await listMembers(tx, customerNumber, machine)
  const accounts = await findStandings(tx, plan.requested_by, [...new Set([customerNumber, ...group])])
  requireApprovedAccount(accounts.get(customerNumber))
  const isInFile = (one: string) =>
    plan.request.customers.includes(one) && isExportApproved(accounts.get(one)?.standing.exportControlStatus)
  const others = group.filter((one) => one !== customerNumber && isInFile(one))
  const customers = [customerNumber, ...others].map((one) => ({
    customerNumber: one,
    today: dayIn(accounts.get(one)?.timeZone ?? 'UTC', now),
  }))
  const file = await keepFile(context, { host, customers, group })
  if (file) await auditStep(context, customerNumber, step, { id: file.file_id, customers: file.customers })
}

async function keepFile(
  { tx, plan, now }: StepContext,
  request: {
    host: HostRow
    customers: { customerNumber: string; today: string }[]
    group: string[]
  },
) {
  try {
    const by = { by: plan.requested_by, now }
    const { row } = await keepLicenseFile(tx, { ...request, ...by }, await loadSigner(tx, now))
    return row
  } catch (error) {
    if (error instanceof BusinessRefusal && error.code === 'NO_LICENSES') return undefined
    throw error
  }
}

/** Before the first step of a rehost: what is returned must be allowed to come back on the target. */
export async function requireAllApproved(context: StepContext): Promise<void> {
  const { action, request } = context.plan
  if (action !== 'REHOST') return
  for (const customerNumber of request.customers) await requireApproved(context, customerNumber)
}

async function requireApproved({ tx, plan }: StepContext, customerNumber: string): Promise<void> {
  const accounts = await findStandings(tx, plan.requested_by, [customerNumber])
  requireApprovedAccount(accounts.get(customerNumber))
}

function requireApprovedAccount(account: KnownAccount | undefined): void {
  if (!account || !isExportApproved(account.standing.exportControlStatus))
    throw new BusinessRefusal('EXPORT_DENIED', EXPORT_DENIED)
}

/** Writes the step to the audit log of each customer, under the call that started the plan. */
async function auditStep(
  { tx, plan, now }: StepContext,
  customerNumber: string,
  step: PlanStep,
  what: object,
): Promise<void> {
  const { operation, ...origin } = plan.requested_from
  await writeAudit(
    tx,
    { at: now, ...origin },
    {
      action: operation as AuditAction,
      customerNumber,
      target: step.host.serverId,
      after: { plan: plan.plan_id, step: step.kind, ...what },
    },
  )
}
