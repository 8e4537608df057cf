import type { Transaction } from 'kysely'
import type { AuditAction } from '#contract/audit-words.ts'
import { EXPORT_DENIED, isExportApproved } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { licenseRecipients } from '#domain/activations/license-files/license-file.ts'
import type { PlanStep, SeatStep } from '#domain/activations/plans/plan.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { findStandings, type KnownAccount, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { leaveGroup, lockGroup, overrideGroup, replaceGroup } from '#server/modules/activations/hosts/group-steps.ts'
import { ensureHost, findHost, saveBorrowable } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost, readMachine } from '#server/modules/activations/hosts/named-host.ts'
import { sendLicense } from '#server/modules/activations/license-files/email-license.ts'
import { generateFile, NoLicensesError } from '#server/modules/activations/license-files/generate-license.ts'
import { findLastFile } from '#server/modules/activations/license-files/license-files.queries.ts'
import { NO_FILE, toWholeFile } from '#server/modules/activations/license-files/read-license-files.ts'
import {
  changeReserved,
  findReservedBy,
  listPlanRows,
  noteOutcome,
  type StoredPlan,
} from '#server/modules/activations/plans/host-plans.queries.ts'
import { createSeats, returnSeats } from '#server/modules/activations/seats/change-seats.ts'
import type { StepAuthor } from '#server/modules/activations/step-author.ts'
import type { Services } from '#server/services.ts'

/** A plan and its step, in the transaction that also marks the step as done. */
export type StepContext = {
  readonly tx: Transaction<DB>
  readonly plan: StoredPlan
  readonly now: Date
  readonly services: Pick<Services, 'config' | 'clock' | 'secrets'>
}

type StepOf<K extends PlanStep['kind']> = Extract<PlanStep, { kind: K }>

/** The plan was stored by another version of the portal. Trying again does not help. */
export class UnknownStepError extends BusinessRefusal {
  constructor(kind: string) {
    super('INTERNAL_ERROR', `This version of the portal does not know the step "${kind}". Contact support.`)
  }
}

/**
 * Does one step. Rights were checked when the plan was accepted. Only export compliance is checked again: a customer that
 * was denied since then gets neither seats nor licenses.
 */
export async function performStep(context: StepContext, step: PlanStep): Promise<void> {
  const { plan } = context
  const author = authorOf(context, step)
  switch (step.kind) {
    case 'return':
      return returnStep(context, step)
    case 'create':
      return createStep(context, step)
    case 'override':
      return overrideStep(context, step)
    case 'deactivate group':
      return leaveGroup(author, await lockGroup(author.db, step.customerNumber, step.host), plan.request.customers)
    case 'set group':
      return replaceGroup(author, await lockGroup(author.db, step.customerNumber, step.host), step.group)
    case 'generate':
      return generateStep(context, step)
    case 'email':
      return emailStep(context, step)
    default:
      throw new UnknownStepError((step as PlanStep).kind)
  }
}

/** Returns the remaining seats of each fulfillment. The plan keeps holding seats that it activates again. */
async function returnStep(context: StepContext, step: SeatStep): Promise<void> {
  const { tx, plan } = context
  const { rows } = await returnSeats(authorOf(context, step), step, async ({ held }) => ({
    activations: step.activations
      .map(({ id, count }) => ({ id, count: -Math.min(held.get(id)?.seats ?? 0, -count) }))
      .filter(({ count }) => count < 0),
  }))
  const returned = rows.map(({ activationId, count }) => ({ activationId, seats: -count }))
  if (plan.action === 'REHOST' || plan.action === 'SAVE')
    await changeReserved(tx, plan.plan_id, step.customerNumber, returned)
  await noteOutcome(tx, plan, step, { did: returned })
}

/** Activates the seats that the plan holds: never more than were returned, or set aside, for it. */
async function createStep(context: StepContext, step: SeatStep): Promise<void> {
  const { tx, plan } = context
  const { customerNumber } = step
  await requireApproved(context, customerNumber)
  const { host, movedFrom } = await takeUpHost(context, customerNumber, step.host)
  await createSeats(authorOf(context, step), { ...step, movedFrom }, host, async () => {
    const inHand = await findReservedBy(tx, plan.plan_id, customerNumber)
    const activations = step.activations
      .map(({ id, count }) => ({ id, count: Math.min(count, inHand.get(id) ?? 0) }))
      .filter(({ count }) => count > 0)
    const taken = activations.map(({ id, count }) => ({ activationId: id, seats: -count }))
    await changeReserved(tx, plan.plan_id, customerNumber, taken)
    const did = activations.map(({ id, count }) => ({ activationId: id, seats: count }))
    await noteOutcome(tx, plan, step, { did })
    return { activations }
  })
}

/** The target of a rehost has the port of the request, and is borrowable if the source was. */
async function takeUpHost({ tx, plan, now }: StepContext, customerNumber: string, identity: HostIdentity) {
  const { source, target } = plan.request
  const port = target?.port ?? plan.request.port
  const named = readHost({ ...identity, ...(port === undefined ? {} : { portNumber: port }) })
  const host = await ensureHost(tx, customerNumber, named, now)
  if (!target || !source) return { host }
  const from = await findHost(tx, customerNumber, readMachine(source.serverId, source.serverIdType))
  if (from?.is_borrowable && !host.is_borrowable) await saveBorrowable(tx, host, true)
  return { host, movedFrom: from }
}

/** The person manages the customers of the plan, and nobody else. */
async function overrideStep(context: StepContext, step: StepOf<'override' | 'deactivate group'>): Promise<void> {
  const { tx, plan, services } = context
  const group = await lockGroup(tx, step.customerNumber, step.host)
  const unmanaged = group.members.filter((one) => !plan.request.customers.includes(one))
  const host = await findHost(tx, step.customerNumber, group.machine)
  if (host) await overrideGroup(authorOf(context, step), services, group, { host, unmanaged })
}

/** Sends the file that the plan has generated: everybody in it is a customer of the plan. */
async function emailStep(context: StepContext, step: StepOf<'email'>): Promise<void> {
  const { tx, plan, services } = context
  const [progress] = await listPlanRows(tx, plan.customer_number, plan.plan_id)
  const licensed = progress?.licensed[0] ?? step.customerNumber
  const host = await findHost(tx, licensed, readMachine(step.host.serverId, step.host.serverIdType))
  const row = host && (await findLastFile(tx, host))
  if (!host || !row) throw new BusinessRefusal('NO_LICENSE_FILE', NO_FILE)
  const account = await loadAccount(tx, step.customerNumber)
  const recipients = licenseRecipients(step, plan.requested_by)
  await sendLicense(authorOf(context, step), services, { account, host, visible: toWholeFile(row), ...recipients })
}

/** A customer without licenses on the host needs no file. A save is told so, unless another customer of the host has some. */
async function generateStep(context: StepContext, step: StepOf<'generate'>): Promise<void> {
  const { tx, plan } = context
  const { serverId, serverIdType } = step.host
  const host = await findHost(tx, step.customerNumber, readMachine(serverId, serverIdType))
  if (!host) return
  const { customers, isBorrowable } = plan.request
  const isManaged = ({ standing }: KnownAccount) => customers.includes(standing.customerNumber)
  try {
    await generateFile(authorOf(context, step), host, { isBorrowable, isManaged })
  } catch (error) {
    if (!(error instanceof NoLicensesError) || (plan.action === 'SAVE' && !error.haveOthers)) throw error
    await noteOutcome(tx, plan, step, { isSkipped: true })
  }
}

/** Before the first step of a rehost: the returned seats must be allowed on the target. */
export async function requireAllApproved(context: StepContext): Promise<void> {
  const { action, request } = context.plan
  if (action !== 'REHOST') return
  for (const customerNumber of request.customers) await requireApproved(context, customerNumber)
}

async function requireApproved({ tx, plan }: StepContext, customerNumber: string): Promise<void> {
  const account = (await findStandings(tx, plan.requested_by, [customerNumber])).get(customerNumber)
  if (!account || !isExportApproved(account.standing.exportControlStatus))
    throw new BusinessRefusal('EXPORT_DENIED', EXPORT_DENIED)
}

/** The author of a step: the call that started the plan, under whose name each step is audited. */
function authorOf({ tx, plan, now, services }: StepContext, step: PlanStep): StepAuthor {
  const { operation, ...origin } = plan.requested_from
  return {
    db: tx,
    now,
    email: plan.requested_by,
    services,
    audit: ({ after, ...entry }) =>
      writeAudit(
        tx,
        { at: now, ...origin },
        { ...entry, action: operation as AuditAction, after: { plan: plan.plan_id, step: step.kind, did: after } },
      ),
  }
}
