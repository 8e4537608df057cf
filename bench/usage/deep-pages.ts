import type { ServerUnderTest } from '#bench/kit/child-server.ts'
import { medianTimes, milliseconds, ratio, table, verdict } from '#bench/kit/figures.ts'
import { EVER, LARGEST } from '#bench/usage/dataset.ts'
import { ATTRIBUTES, within } from '#bench/usage/page-request.ts'
import { callPortal } from '#bench/usage/portal-client.ts'

/** Pages have 20 rows. A shorter list is followed to the page before its last one. */
const DEEP_PAGE = 10_000
/** Differences below this are noise on a machine with other load. */
const EQUAL = 1.4

type Page = { token: string | null; data: unknown[] }

/** Page 10,000 by token against page 1, and the first page of ten million rows against that of one million. */
export async function measureDepth(
  large: { portal: ServerUnderTest; cookie: string },
  small: { portal: ServerUnderTest; cookie: string },
  say: (line: string) => void,
): Promise<string> {
  const body = { customerNumber: LARGEST, attributes: ATTRIBUTES, filter: within(EVER), limit: 20 }
  const page = ({ portal, cookie }: typeof large, token: string | null) =>
    callPortal<Page>(portal, cookie, '/api/fetchUsage', { ...body, token })

  const { data: found } = await callPortal<{ data: number }>(large.portal, large.cookie, '/api/fetchUsage/count', {
    customerNumber: LARGEST,
    filter: body.filter,
  })
  const depth = Math.min(DEEP_PAGE, Math.floor(found / 20) - 1)
  const token = await tokenAt(large, body, depth)
  const [first, deep, ofSmall] = await medianTimes(
    [() => page(large, null), () => page(large, token), () => page(small, null)],
    51,
  )
  const rows = [
    ['page 1 of the large table', milliseconds(first), ''],
    [
      `page ${depth.toLocaleString('en')} by token`,
      milliseconds(deep),
      `${ratio(deep / first)} of page 1: ${verdict(deep / first < EQUAL)}`,
    ],
    [
      'page 1 of 1,000,000 rows',
      milliseconds(ofSmall),
      `the large one takes ${ratio(first / ofSmall)}: ${verdict(first / ofSmall < EQUAL)}`,
    ],
  ]
  for (const row of rows) say(`  ${row.join(' · ')}`)
  return `${table(['by time, all time, largest customer', 'whole request', 'equal (under 1.4×)'], rows)}\n\nMedian of 51 interleaved calls each.`
}

/** Walks to the page in pages of the largest size. The last token is that of the last row before the page. */
async function tokenAt(
  { portal, cookie }: { portal: ServerUnderTest; cookie: string },
  body: object,
  depth: number,
): Promise<string> {
  let left = (depth - 1) * 20
  let token: string | null = null
  while (left > 0) {
    const limit = Math.min(1000, left)
    const next: Page = await callPortal<Page>(portal, cookie, '/api/fetchUsage', {
      ...body,
      attributes: ['TransactionNumber'],
      limit,
      token,
    })
    token = next.token
    left -= limit
  }
  if (!token) throw new Error('the list has ended before the page')
  return token
}
