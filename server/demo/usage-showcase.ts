import { addDays, dayIn, startOfDay } from '#domain/calendar/calendar-day.ts'
import { sessionCharge } from '#domain/elastic/sessions/session-charge.ts'
import { productNamed } from '#server/demo/products.ts'
import type { UsageNames } from '#server/demo/usage-names.ts'
import type { UsageRow } from '#server/modules/elastic/usage/usage-booking.queries.ts'

export type Showcase = {
  readonly customerNumber: string
  readonly serverId: string
  readonly activationId: string
  readonly currency: string
  readonly rateTableVersion: string
  readonly timeZone: string
  readonly midnight: Date
  readonly names: UsageNames
}

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

type Session = {
  readonly product: string
  readonly from: Date
  /** Null while it is running. */
  readonly length: number | null
  readonly count?: number
  readonly project?: string
  readonly cloudJob?: string
  readonly person?: number
}

/** One session of every kind that the screen shows differently. */
export function showcaseSessions(showcase: Showcase): UsageRow[] {
  const { midnight, timeZone } = showcase
  const before = (milliseconds: number) => new Date(midnight.getTime() - milliseconds)
  const today = dayIn(timeZone, midnight)
  const localMidnight = startOfDay(timeZone, addDays(today, -2)).getTime()
  const monthEnd = startOfDay(timeZone, `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`).getTime()
  const sessions: Session[] = [
    { product: 'Fluid Meshing', from: before(3 * DAY + 5 * HOUR), length: SECOND },
    {
      product: "Scripting Studio <script>alert('product')</script>",
      from: before(41 * DAY),
      length: 30 * DAY,
      person: 3,
    },
    {
      product: 'Fluid Flow Pro',
      from: new Date(localMidnight - HOUR),
      length: 2 * HOUR,
      project: 'Night Run',
      count: 2,
    },
    {
      product: 'HPC Pack',
      from: new Date(monthEnd - 3 * HOUR),
      length: 7 * HOUR,
      project: 'Quarter Close',
      cloudJob: 'job-month-end',
    },
    { product: 'Acoustics Response', from: before(2 * DAY + 9 * HOUR), length: HOUR, cloudJob: 'job-without-project' },
    { product: 'Structural Mechanics Pro', from: before(2 * HOUR), length: null, project: 'Wing Box Modal' },
    {
      product: 'Fluid Flow Enterprise',
      from: before(5 * HOUR),
      length: null,
      count: 4,
      cloudJob: 'job-running',
      person: 1,
    },
    { product: 'Optical Ray Studio', from: before(9 * HOUR), length: null, person: 2 },
    { product: 'HPC Workgroup 128', from: before(26 * HOUR), length: null, project: '=SUM(A1:A9)', person: 4 },
    { product: 'Thermal Desktop', from: before(6 * DAY), length: null, person: 5 },
  ]
  return sessions.map((session, at) => rowOf(showcase, session, at))
}

/** Corrected in part, because the session had lost its license server. */
export function correctionOf(original: UsageRow, transactionNumber: string, charge: string): UsageRow {
  return {
    ...original,
    session_id: `${original.session_id}-correction`,
    started_at: original.ends_at as Date,
    corrects: transactionNumber,
    corrected_session_id: original.session_id,
    charge: `-${charge}`,
    session_status: 'Correction',
  }
}

function rowOf(showcase: Showcase, session: Session, at: number): UsageRow {
  const product = productNamed(session.product)
  const { names } = showcase
  const productCount = session.count ?? 1
  const person = session.person ?? 0
  const ended = session.length === null ? null : new Date(session.from.getTime() + session.length)
  return {
    customer_number: showcase.customerNumber,
    server_id: showcase.serverId,
    session_id: `showcase-${String(at + 1).padStart(3, '0')}`,
    session_status: ended ? 'Completed' : 'Active',
    started_at: session.from,
    ...(ended
      ? {
          ends_at: ended,
          activation_id: showcase.activationId,
          charge: sessionCharge({
            startedAt: session.from,
            endedAt: ended,
            productCount,
            unitsPerHour: (product.rate ?? 0).toFixed(4),
          }),
        }
      : {}),
    product: product.name,
    product_line: 'Structures',
    product_version: '2026 R1',
    product_count: productCount,
    feature: product.featureNames[0] ?? '',
    feature_number: '1000',
    feature_count: productCount,
    user_name: names.users[person] ?? '',
    host: names.hosts[person * 2] ?? '',
    process_id: 4000 + at,
    project: session.project ?? null,
    cloud_job_id: session.cloudJob ?? null,
    internal_ip: names.internalIps[person * 2] ?? null,
    external_ip: names.externalIps[at % names.externalIps.length] ?? null,
    consumer_id: `consumer-${at}`,
    acquisition: 'Online',
    rate_table_version: showcase.rateTableVersion,
    currency: showcase.currency,
    arrived_at: ended && ended < showcase.midnight ? ended : showcase.midnight,
  }
}
