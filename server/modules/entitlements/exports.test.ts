import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportElasticEntitlements, getEntitlements } from '#contract/elastic/balances/elastic-entitlements.ts'
import { type ElasticEntitlement, elasticRow } from '#contract/elastic/balances/elastic-row.ts'
import { activeEntitlementList, inactiveEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { countFulfillments } from '#contract/entitlements/fulfillments.ts'
import { leaseRow } from '#contract/entitlements/lease-row.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

const AERODYNE = '100001'

let portal: Portal
let today: string
beforeAll(async () => {
  portal = await startPortal()
  today = dayIn('Europe/Berlin', portal.clock.now())
})
afterAll(() => portal.close())

async function send(operation: Operation, body: object) {
  const ada = await portal.as('ada.admin@aerodyne.example')
  const answer = await ada(operation, { body: { customerNumber: AERODYNE, ...body } })
  expect(answer.status).toBe(200)
  return answer
}

async function downloadCsv(operation: Operation, body: object = {}) {
  const answer = await send(operation, body)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  return { lines: cellsOf(String(answer.body.text)), name: String(answer.headers['content-disposition']) }
}

/** A separate CSV reader, so that the writer is not tested with its own counterpart. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]]
  let cell = ''
  let quoted = false
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at++) {
    const [here, next] = [text[at], text[at + 1]]
    if (quoted && here === '"' && next === '"') {
      cell += '"'
      at++
    } else if (here === '"') quoted = !quoted
    else if (!quoted && (here === ',' || here === '\r')) {
      lines.at(-1)?.push(cell)
      cell = ''
    } else if (!quoted && here === '\n') lines.push([])
    else cell += here
  }
  return lines.slice(0, -1)
}

describe.each([
  ['active', activeEntitlementList.exportCsv, activeEntitlementList.page],
  ['inactive', inactiveEntitlementList.exportCsv, inactiveEntitlementList.page],
] as const)('%s leases and perpetuals', (activity, exported, fetched) => {
  const shown = async (body: object) => {
    const rows = (await send(fetched, { ...body, limit: 1000 })).body.data as LeaseEntitlement[]
    const ids = rows.map((row) => row.ActivationId)
    const counts = (await send(countFulfillments, { activationId: ids })).body.data as Record<string, number>
    return rows
      .map((row) => leaseRow(row, today, counts[row.ActivationId]))
      .map((row) =>
        [
          row.ansysproduct,
          row.activationid,
          row.ansyslicensemodel,
          row.ansyscount,
          row.startdate,
          row.enddate,
          row.remainingdays,
          row.ansysactivated ?? '',
          row.isEval ? 'Yes' : '',
        ].map(String),
      )
  }

  test('exports every row with the values that the screen shows', async () => {
    const { lines, name } = await downloadCsv(exported)
    const [header, ...rows] = lines
    expect(name).toBe(`attachment; filename=${activity}-entitlements-100001-${today}.csv`)
    expect(header).toEqual([
      'Entitlement',
      'Activation ID',
      'License Model',
      'Count',
      'Start Date',
      'Expiration Date',
      'Remaining Days',
      'Total Activated',
      'Evaluation',
    ])
    expect(rows.length).toBeGreaterThan(20)
    expect(rows).toEqual(await shown({}))
    expect(new Set(rows.map((row) => row.at(-1)))).toEqual(new Set(['', 'Yes']))
  })

  test('applies the filter and sorting of the list', async () => {
    const body = {
      filter: { condition: 'ALL', criteria: [{ name: 'ProductName', method: 'CONTAINS', value: 'structural' }] },
      sorting: [{ name: 'LineItemQuantity', direction: 'desc' }],
    }
    const [, ...rows] = (await downloadCsv(exported, body)).lines
    expect(rows.length).toBeGreaterThan(0)
    expect(rows).toEqual(await shown(body))
  })

  test('exports only the header when no row matches', async () => {
    const filter = { condition: 'ALL', criteria: [{ name: 'ProductName', method: 'EQUALS', value: 'nothing' }] }
    expect((await downloadCsv(exported, { filter })).lines).toHaveLength(1)
  })
})

test('escapes product names that a spreadsheet would run as formulas', async () => {
  await portal.db
    .updateTable('entitlement')
    .set({ product_name: '=HYPERLINK("http://x","y")' })
    .where('product_name', '=', 'Engineer\'s "All-in-One" Desktop')
    .execute()
  const { lines } = await downloadCsv(activeEntitlementList.exportCsv)
  expect(lines.map(([product]) => product)).toContain('\'=HYPERLINK("http://x","y")')
})

describe.each([true, false])('elastic entitlements, active %s', (active) => {
  const shown = async () => {
    const all = (await send(getEntitlements, {})).body.data as ElasticEntitlement[]
    return all.map((one) => elasticRow(one, today)).filter((row) => row.isActive === active)
  }

  test('exports every row with the values that the screen shows', async () => {
    const { lines, name } = await downloadCsv(exportElasticEntitlements, { active })
    expect(name).toBe(`attachment; filename=${active ? '' : 'in'}active-elastic-entitlements-100001-${today}.csv`)
    const rows = await shown()
    expect(rows.length).toBeGreaterThan(2)
    expect(lines[0]?.slice(0, 5)).toEqual([
      'Entitlement',
      'Activation ID',
      'Start Date',
      'Expiration Date',
      'Remaining Days',
    ])
    // The forecast that follows is tested with its rule.
    expect(lines.slice(1).map((line) => line.slice(0, 13))).toEqual(
      rows.map((row) =>
        [
          row.ansysproduct,
          row.activationid,
          row.startdate,
          row.enddate,
          row.remainingdays,
          ...[row.quantity, row.used, row.remaining, row.overdrawn].map((amount) => amount.toFixed(2)),
          row.currency,
          row.usedpercentage,
          row.ansysponum,
          row.ansysratetableversion,
        ].map(String),
      ),
    )
  })

  test('applies the filter and sorting of the columns', async () => {
    const { lines } = await downloadCsv(exportElasticEntitlements, {
      active,
      filter: { condition: 'ALL', criteria: [{ name: 'usedpercentage', method: '>=', value: 1 }] },
      sorting: [{ name: 'remainingdays', direction: 'asc' }],
    })
    const expected = (await shown()).filter((row) => row.usedpercentage >= 1).reverse()
    expect(lines.slice(1).map(([, id]) => id)).toEqual(expected.map((row) => row.activationid))
  })
})

test('refuses an export of more than 30,000 rows instead of cutting it', async () => {
  await sql`
    insert into activation_owner (customer_number, activation_id)
    select '100002', 'bulk-' || n from generate_series(1, 30001) n`.execute(portal.db)
  await sql`
    insert into entitlement (customer_number, activation_id, entitlement_id, part_number, product_name, license_model,
                             line_item_quantity, start_date, is_permanent)
    select '100002', 'bulk-' || n, 'bulk', 'P1', 'Solver', 'Network', 1, '2020-01-01', true
      from generate_series(1, 30001) n`.execute(portal.db)
  const ada = await portal.as('ada.admin@aerodyne.example')
  const answer = await ada(activeEntitlementList.exportCsv, { body: { customerNumber: '100002' } })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    status: 'FAILURE',
    code: 'TOO_MANY_ROWS',
    err: 'total number of records exceeds maximum allowed length',
  })
})
