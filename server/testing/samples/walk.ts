import type { Operation } from '#contract/kit/operation.ts'
import { OPERATIONS, type OperationName } from '#contract/operations.ts'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { addMonths, startOfMonth } from '#domain/calendar/calendar-periods.ts'
import { OLIVIA, VIC } from '#server/testing/activations.ts'
import type { Answer, CallParts, Portal } from '#server/testing/portal.ts'
import { NO_ID } from '#server/testing/samples/given.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { until } from '#server/testing/until.ts'

/** The two accounts of the demo data that are called about. */
export const FIRST = '100001'
export const SECOND = '100002'
export const about = { customerNumber: FIRST }

const TIMEOUT = 10_000
/** Only people who may not do something themselves ask for it, and only people of the account wait for its seats. */
const ASKING: readonly OperationName[] = [
  'requests/ask',
  'requests/withdraw',
  'license-use/waiting/join',
  'license-use/waiting/one',
  'license-use/waiting/leave',
  'license-use/waiting/ask',
]

/** Makes one call. A test may look at what happens meanwhile. */
export type Around = (operation: Operation, make: () => Promise<Answer>) => Promise<Answer>

/** The entitlements that are made for the walk. */
export const seats = (purpose: string) => `every-operation-${purpose}`

export type Walk = Awaited<ReturnType<typeof startWalk>>

export async function startWalk(portal: Portal, around: Around) {
  const { headers } = await giveServiceKey(portal, 'Every operation')
  const [olivia, vic, nobody] = [await portal.as(OLIVIA), await portal.as(VIC), await portal.as(null)]
  const called = new Set<string>()
  const call = (name: OperationName, parts: CallParts): Promise<Answer> => {
    const operation = OPERATIONS.find((one) => one.name === name)
    if (!operation) throw new Error(`there is no operation ${name}`)
    called.add(name)
    portal.clock.forward(1000)
    const person = ASKING.includes(name) ? vic : olivia
    return around(operation, () =>
      operation.access.kind === 'service' ? nobody(operation, { ...parts, headers }) : person(operation, parts),
    )
  }
  const today = dayIn('Europe/Berlin', portal.clock.now())
  const month = startOfMonth(today)
  return {
    portal,
    called,
    call,
    now: portal.clock.now(),
    today,
    /** The last month that is over, of the first account. */
    lastMonth: { ...about, from: addMonths(month, -1), to: addDays(month, -1) },
    /** A field of what a call answers, of the first row if it answers several. */
    async ask(name: OperationName, parts: CallParts, field = 'id'): Promise<string> {
      const { data } = (await call(name, parts)).body
      const row = (Array.isArray(data) ? data[0] : data) as Record<string, unknown> | null | undefined
      return String(row?.[field] ?? NO_ID)
    },
    /** The operation says how far a job is. */
    async wait(name: OperationName, parts: CallParts): Promise<void> {
      const status = OPERATIONS.find((one) => one.name === name)!
      const isOver = async () => {
        const task = (await olivia(status, parts)).body.data as { state: string } | undefined
        return !task || !['waiting', 'running'].includes(task.state)
      }
      await until(isOver, `${name} never ends`, TIMEOUT).catch(() => undefined)
    },
  }
}
