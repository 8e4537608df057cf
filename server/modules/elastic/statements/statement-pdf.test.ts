import { expect, test } from 'vitest'
import { createStatement, type StatedEntitlement } from '#domain/elastic/statements/statement.ts'
import { describeStatement } from '#server/modules/elastic/statements/statement-pdf.ts'

const period = { from: '2026-10-01', to: '2026-10-31' }
const entitlement = (purchaseOrder: string, used: string): StatedEntitlement => ({
  purchaseOrder,
  activationId: `id-${purchaseOrder}`,
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  currency: 'AEU',
  total: '1000',
  isListed: true,
  usedBefore: '0',
  products: [{ product: `Product ${purchaseOrder}`, used }],
})

test('charts on paper say what they leave out, and every page says whose statement of which period it is', () => {
  const statement = createStatement(period, [entitlement('A', '100.00'), entitlement('B', '-32.00')])
  const header = { reportDate: '2026-11-16', customerNumber: '100001', customerName: 'Aerodyne', ...period }
  const { footnote, blocks } = describeStatement(statement, header, { notes: [] })
  expect(footnote).toBe('Account 100001 · 2026-10-01 to 2026-10-31')
  expect(blocks.flatMap((block) => (block.kind === 'pie' ? block.note : []))).toEqual([
    'Not in the chart: 1 purchase order with negative usage (-32.00). Percentages are of the usage in the chart.',
    'Not in the chart: 1 product with negative usage (-32.00). Percentages are of the usage in the chart.',
  ])
})
