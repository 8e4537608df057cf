import type { AlertCategory, AlertLink, AlertStatus } from '#domain/messages/alerts.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'

type DemoAlert = {
  readonly category: AlertCategory
  readonly status: AlertStatus
  /** Hours from the midnight for which the data is made. */
  readonly from: number
  readonly to: number | null
  readonly description: string
  readonly services: readonly string[]
  readonly links?: readonly AlertLink[]
}

const DAY = 24
const STATUS_PAGE = { text: 'Status page', url: 'https://status.vendor.example/' }

/** Every category, active and resolved, without an expiry, with one to come and with one that has passed. */
const ALERTS: readonly DemoAlert[] = [
  {
    category: 'CRITICAL',
    status: 'ACTIVE',
    from: -3,
    to: null,
    description: 'Sessions of the elastic licensing service in Europe are denied. We are working on it.',
    services: ['Elastic Licensing'],
    links: [STATUS_PAGE],
  },
  {
    category: 'CRITICAL',
    status: 'RESOLVED',
    from: -20 * DAY,
    to: -20 * DAY + 3,
    description: 'License files could not be generated.',
    services: ['Self-Serve Licensing', 'Licensing Portal'],
  },
  {
    category: 'WARNING',
    status: 'ACTIVE',
    from: -6,
    to: 3 * DAY,
    description: 'Usage transactions arrive with a delay of up to two hours.',
    services: ['Elastic Reporting'],
  },
  {
    category: 'WARNING',
    status: 'ACTIVE',
    from: -5 * DAY,
    to: -4 * DAY,
    description: 'Sign-in was slow for people who use the European identity service.',
    services: ['Licensing Portal'],
  },
  {
    category: 'WARNING',
    status: 'RESOLVED',
    from: -9 * DAY,
    to: null,
    description: 'Emails were delivered late.',
    services: ['Email'],
  },
  {
    category: 'INFO',
    status: 'ACTIVE',
    from: 3 * DAY + 6,
    to: 3 * DAY + 10,
    description: 'The licensing portal will be read-only during a database upgrade.',
    services: ['Licensing Portal', 'Self-Serve Licensing', 'Elastic Reporting'],
    links: [STATUS_PAGE, { text: 'What to prepare', url: 'https://docs.vendor.example/licensing-portal/maintenance' }],
  },
  {
    category: 'INFO',
    status: 'ACTIVE',
    from: 21 * DAY,
    to: 21 * DAY + 8,
    description: 'Planned maintenance of the web license service.',
    services: ['Web Licenses'],
  },
  {
    category: 'INFO',
    status: 'RESOLVED',
    from: -40 * DAY,
    to: -40 * DAY + 4,
    description: 'Planned maintenance of the elastic licensing service.',
    services: ['Elastic Licensing'],
  },
  {
    category: 'OK',
    status: 'ACTIVE',
    from: -2 * DAY,
    to: null,
    description: 'Statements can now be exported as PDF.\nSee the documentation for “Elastic Statements” & <more>.',
    services: ['Elastic Reporting'],
    links: [{ text: 'Documentation', url: 'https://docs.vendor.example/licensing-portal' }],
  },
  {
    category: 'OK',
    status: 'RESOLVED',
    from: -12 * DAY,
    to: 30 * DAY,
    description: 'The new data center is in operation.',
    services: ['Licensing Portal', 'Elastic Licensing'],
  },
]

/** Fixed ids, so that addresses of the demo are the same on every installation. */
export const demoAlertId = (n: number) => `a0000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export const alerts: DemoPart = {
  name: 'alerts',
  async load(tx, world) {
    const at = (hours: number) => new Date(world.midnight.getTime() + hours * 3_600_000)
    await tx
      .insertInto('alert')
      .values(
        ALERTS.map(({ from, to, links = [], services, ...alert }, index) => ({
          ...alert,
          id: demoAlertId(index + 1),
          starts_at: at(from),
          expires_at: to === null ? null : at(to),
          services: [...services],
          links: JSON.stringify(links),
          created_by: 'adam.admin@vendor.example',
          created_at: at(Math.min(from, 0)),
          changed_at: at(Math.min(from, 0)),
        })),
      )
      .execute()
  },
}
