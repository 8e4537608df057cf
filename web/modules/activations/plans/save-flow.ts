import {
  deactivateSharedServer,
  overrideCustomers,
  serverCustomers,
  setSharedServer,
} from '#contract/activations/hosts/shared-server.ts'
import {
  downloadLicense,
  emailLicense,
  generateLicense,
  type LicenseFile,
} from '#contract/activations/license-files/license-files.ts'
import { serverEntitlements } from '#contract/activations/seats/activations.ts'
import { createFulfillments, returnFulfillments } from '#contract/activations/seats/change-seats.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import { idempotencyKey } from '#domain/activations/plans/plan-key.ts'
import type { Reached, SaveRequest } from '#domain/activations/plans/save-plan.ts'
import { isToleratedFailure } from '#domain/activations/seats/activation-error.ts'
import { ask, call } from '#web/lib/api-client.ts'
import { hasCode } from '#web/lib/api-failure.ts'
import { hostFields } from '#web/modules/activations/activations.api.ts'
import { rawText } from '#web/modules/activations/seats/activation-failure.ts'

/** Everything that a save needs to start, and to continue after an interruption. */
export type SaveJob = {
  /** Part of every idempotency key: a step that is sent again is not done twice. */
  readonly saveId: string
  readonly startedAt: string
  readonly request: SaveRequest
  /** By activation id, to name the products that the server refuses. */
  readonly productNames: Readonly<Record<string, string>>
  readonly isBorrowable: boolean
  /** Of a new host. */
  readonly portNumber: number
  /** The server did not know the host when the save was begun, so nobody shares it. */
  readonly isNewHost: boolean
}

/** The result of a save. There is no file if the host has no licenses. */
export type SaveResult = {
  readonly file?: LicenseFile
  readonly fileName?: string
  readonly licenseText?: string
  readonly mailedTo?: readonly string[]
}

/** Asks the server how far the save has come. */
export async function loadReached({ request: { host, goals }, isNewHost }: SaveJob): Promise<Omit<Reached, 'done'>> {
  const customerNumber = goals[0]?.customerNumber ?? ''
  const [members, ...held] = await Promise.all([
    isNewHost ? [] : call(serverCustomers, { body: { customerNumber, ...hostFields(host) } }).catch(noneIfUnknown),
    ...goals.map(async (goal) => {
      const body = { customerNumber: goal.customerNumber, serverId: host.serverId, activeOnly: true }
      const rows = await call(serverEntitlements, { body })
      return rows.flatMap(({ ActivationId, AnsysFulfillments }) =>
        AnsysFulfillments.map((one) => ({
          ...one,
          customerNumber: goal.customerNumber,
          activationId: ActivationId,
        })),
      )
    }),
  ])
  return { members, held: held.flat() }
}

/** A host that was deleted meanwhile has no customers. */
function noneIfUnknown(error: unknown): never[] {
  if (hasCode(error, 'NOT_FOUND')) return []
  throw error
}

const RETRIES = 2

/** Retries a step when there was no answer. The idempotency key keeps it from being done twice. */
async function withRetries<T>(send: () => Promise<T>, failures = 0): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (failures >= RETRIES || !hasCode(error, 'NO_ANSWER', 'UNAVAILABLE')) throw error
    await new Promise((resolve) => setTimeout(resolve, (failures + 1) * 100))
    return withRetries(send, failures + 1)
  }
}

/** Performs the steps of a save and collects their results. */
export function stepPerformer(job: SaveJob, reload: () => Promise<void>) {
  const generating = { done: 0, waiting: job.request.goals.length }
  let result: SaveResult = {}
  return { perform: (step: PlanStep) => withRetries(() => performStep(step)), result: () => result }

  async function performStep(step: PlanStep): Promise<void> {
    const { host } = step
    const key = { idempotencyKey: idempotencyKey(job.saveId, step) }
    switch (step.kind) {
      case 'return': {
        const { customerNumber, customerName, action, activations } = step
        await call(returnFulfillments, {
          body: { customerNumber, customerName, action, activations: [...activations] },
          ...key,
        })
        return
      }
      case 'create': {
        const { customerNumber, customerName, action, activations } = step
        const of = { customerNumber, customerName, action, portNumber: job.portNumber }
        await call(createFulfillments, { body: { ...of, ...host, activations: [...activations] }, ...key })
        return
      }
      case 'override':
        await call(overrideCustomers, { body: { customerNumber: step.customerNumber, ...hostFields(host) }, ...key })
        return
      case 'deactivate group':
        await call(deactivateSharedServer, {
          body: { customerNumber: step.customerNumber, ...hostFields(host) },
          ...key,
        })
        return
      case 'set group':
        await call(setSharedServer, {
          body: { customerNumber: step.customerNumber, ...hostFields(host), group: [...step.group] },
          ...key,
        })
        return
      case 'generate':
        return generate(step.customerNumber, step.customerName, step)
      case 'refresh':
        return reload()
      case 'download':
        return download(step.customerNumbers[0] ?? '', step)
      case 'email': {
        const { customerNumber, supportEmailTo, supportEmailCc } = step
        const { serverName, serverId } = host
        const body = { customerNumber, serverName, serverId, supportEmailTo, supportEmailCc }
        const { to, cc } = await call(emailLicense, { body, ...key })
        result = { ...result, mailedTo: [...to, ...cc] }
        return
      }
      default:
        throw new Error(`No save has a step "${step.kind}"`)
    }
  }

  async function generate(customerNumber: string, customerName: string, step: PlanStep): Promise<void> {
    generating.waiting -= 1
    try {
      const body = { customerNumber, customerName, ...step.host, ansysborrowed: job.isBorrowable }
      await call(generateLicense, { body, idempotencyKey: idempotencyKey(job.saveId, step) })
      generating.done += 1
    } catch (error) {
      if (hasCode(error, 'NO_ANSWER', 'UNAVAILABLE')) generating.waiting += 1
      const others = { generated: generating.done, waiting: generating.waiting }
      if (!isToleratedFailure(rawText(error), others)) throw error
    }
  }

  async function download(customerNumber: string, { host }: PlanStep): Promise<void> {
    const { file, licenseText, licenseFileName } = await ask(downloadLicense, { body: { customerNumber, ...host } })
    result = { ...result, file, licenseText, fileName: licenseFileName }
  }
}
