import type { ServerUnderTest } from '#bench/kit/child-server.ts'
import type { OpenedDatabase } from '#bench/kit/database.ts'
import { median, medianTimes, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { EVER, LARGEST, MONTH } from '#bench/usage/dataset.ts'
import { ATTRIBUTES, PAGE, within } from '#bench/usage/page-request.ts'
import { callPortal } from '#bench/usage/portal-client.ts'

export const CONTAINS = { name: 'Product', method: 'CONTAINS', value: 'flow' } as const
export const RANGES = { 'one month': MONTH, 'all time': EVER } as const

/** What a developer would write by hand for the same question. */
const SELECT = 'from usage_transaction where customer_number = $1 and ends_at > $2 and started_at < $3'
const PLAIN = {
  page: (column: string, more = '') => `select * ${SELECT} ${more} order by ${column} limit 21`,
  count: (more = '') => `select count(*) ${SELECT} ${more}`,
  distinct: (column: string) => `select distinct ${column} ${SELECT} order by 1 limit 500`,
}
const LIKE = `and product ilike '%flow%'`

type Question = {
  readonly what: string
  readonly path: '' | '/count' | '/distinct'
  readonly body: object
  readonly plain: string
  readonly contains?: true
  /** In milliseconds, within one month. */
  readonly target?: number
}

const sortedBy = (name: string, column: string, target?: number): Question => ({
  what: `page of 20 by ${name}, descending`,
  path: '',
  body: { limit: 20, attributes: ATTRIBUTES, sorting: [{ name, direction: 'desc' }] },
  plain: PLAIN.page(`${column} desc, started_at desc, transaction_number desc`),
  ...(target ? { target } : {}),
})
const distinct = (name: string, column: string): Question => ({
  what: `distinct ${name}`,
  path: '/distinct',
  body: { key: name },
  plain: PLAIN.distinct(column),
  target: 20,
})

export const QUESTIONS: readonly Question[] = [
  sortedBy('StartTime', 'started_at'),
  sortedBy('EndTime', 'ends_at'),
  sortedBy('Charge', 'charge', 50),
  sortedBy('User', 'user_name'),
  sortedBy('Hours', 'hours'),
  sortedBy('ProductCount', 'product_count'),
  sortedBy('DeviceID', 'session_id'),
  {
    what: 'page of 20, product contains',
    path: '',
    body: { limit: 20, attributes: ATTRIBUTES },
    plain: PLAIN.page('started_at desc, transaction_number desc', LIKE),
    contains: true,
  },
  { what: 'count', path: '/count', body: {}, plain: PLAIN.count() },
  { what: 'count, product contains', path: '/count', body: {}, plain: PLAIN.count(LIKE), contains: true, target: 700 },
  distinct('Product', 'product'),
  distinct('User', 'user_name'),
  distinct('Host', 'host'),
  distinct('Project', 'project'),
  distinct('SessionStatus', 'session_status'),
  distinct('productVersion', 'product_version'),
  distinct('REFERER_IP_ADDRESS', 'external_ip'),
  distinct('Currency', 'currency'),
]

/** Single calls, one after the other: the portal's whole request against the plain statement sent by the driver. */
export async function measureQueries(
  database: OpenedDatabase,
  portal: ServerUnderTest,
  cookie: string,
  say: (line: string) => void,
): Promise<string> {
  // The first calls of a server are slower than all that follow.
  for (let at = 0; at < 100; at++) await callPortal(portal, cookie, '/api/fetchUsage', PAGE)
  const rows: string[][] = []
  const ratios: number[] = []
  for (const question of QUESTIONS) {
    const cells = [question.what]
    for (const range of Object.values(RANGES)) {
      const body = {
        customerNumber: LARGEST,
        ...question.body,
        filter: within(range, ...(question.contains ? [CONTAINS] : [])),
      }
      const [ours, plain] = await medianTimes([
        () => callPortal(portal, cookie, `/api/fetchUsage${question.path}`, body),
        () => database.pool.query(question.plain, [LARGEST, range.from, range.to]),
      ])
      ratios.push(plain / ours)
      cells.push(`${milliseconds(ours)} / ${milliseconds(plain)} (${ratio(plain / ours)})`)
      if (range === MONTH)
        cells.push(question.target ? `${question.target} ms: ${verdict(ours < question.target)}` : '')
    }
    say(`  ${cells.join(' · ')}`)
    rows.push([cells[0] ?? '', cells[1] ?? '', cells[2] ?? '', cells[3] ?? ''])
  }
  return [
    table(
      ['largest customer', 'one month: portal / plain SQL', 'target, one month', 'all time: portal / plain SQL'],
      rows,
    ),
    '',
    `Median of 7 interleaved calls each. The portal’s are whole requests, with session and rights; in parentheses how many times faster they are than the plain statement alone, sent by the driver (median ${ratio(median(ratios))}).`,
  ].join('\n')
}
