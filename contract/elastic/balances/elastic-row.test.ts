import { expect, test } from 'vitest'
import {
  ELASTIC_ROW_FIELDS,
  type ElasticEntitlement,
  elasticRow,
  elasticSorting,
} from '#contract/elastic/balances/elastic-row.ts'
import { compareBy } from '#domain/filter/compare-rows.ts'
import { parseSorting } from '#domain/filter/parse-sorting.ts'

const units: ElasticEntitlement = {
  ActivationId: 'a-1',
  'CA[ENT|ansysproduct]': 'Elastic Units',
  'CA[ENT|ansyscount]': 2500.5,
  'CA[ENT|ansysratetableversion]': '2026R1.3',
  'CA[ENT|ansysponum]': 'PO-4512345678',
  LineItemQuantity: 4,
  StartDate: '2026-01-01',
  EndDate: '2026-12-31',
  Currency: 'AEU',
  Used: 9501.9,
  LicenseModel: 'Elastic-AEU',
  EntitlementState: 'Deployed',
}

test('marks units that are running out', () => {
  expect(elasticRow(units, '2026-11-15')).toEqual({
    activationid: 'a-1',
    ansysproduct: 'Elastic Units',
    ansyscount: 2500.5,
    startdate: '2026-01-01',
    enddate: '2026-12-31',
    remainingdays: 47,
    usedDays: 318,
    usedDaysPercentage: 87,
    remainingdayscolor: 'orange',
    quantity: 10_002,
    remaining: 500.1,
    overdrawn: 0,
    used: 9501.9,
    currency: 'AEU',
    usedpercentage: 95,
    usedpercentagecolor: 'red',
    ansysratetableversion: '2026R1',
    ansysponum: 'PO-4512345678',
    usedupon: null,
    runouts: [],
    isActive: true,
  })
})

test('a row shows the run-out day of the usual window', () => {
  const runOut = { kind: 'runs out', on: '2026-12-24' } as const
  const forecasts = ([7, 30, 90] as const).map((window) => ({
    window,
    averagedDays: window,
    perDay: '1.00',
    runOut: window === 30 ? runOut : ({ kind: 'no usage' } as const),
  }))
  expect(elasticRow(units, '2026-11-15', forecasts)).toMatchObject({ usedupon: '2026-12-24', runouts: forecasts })
})

test.each([
  [{ Used: 10_002 }, '2026-11-15', { isActive: false, remaining: 0, usedpercentage: 100, remainingdays: 47 }],
  [{ Used: 10_250.29 }, '2026-11-15', { isActive: false, remaining: 0, overdrawn: 248.29, usedpercentage: 100 }],
  [{ Used: 10_001.99 }, '2026-11-15', { isActive: true, remaining: 0.01, usedpercentage: 99, remainingdays: 47 }],
  [{ Used: 0 }, '2025-12-31', { isActive: false, remaining: 10_002, usedpercentage: 0, remainingdays: 'NOT STARTED' }],
  [{ Used: 0 }, '2027-01-01', { isActive: false, remaining: 10_002, usedpercentage: 0, remainingdays: 'EXPIRED' }],
])('the row of units with %j on %s shows what remains', (change, today, expected) => {
  expect(elasticRow({ ...units, ...change }, today)).toMatchObject(expected)
})

test.each([
  ['asc', ['2026-12-31', '2027-12-31', null]],
  ['desc', [null, '2027-12-31', '2026-12-31']],
] as const)('units without an end come after every date, %s', (direction, ends) => {
  const rows = ['2027-12-31', null, '2026-12-31'].map((EndDate) => elasticRow({ ...units, EndDate }, '2026-11-15'))
  const order = compareBy(parseSorting(ELASTIC_ROW_FIELDS, elasticSorting([{ name: 'remainingdays', direction }])))
  expect(rows.sort(order).map(({ enddate }) => enddate)).toEqual(ends)
})

test('remaining days are sorted by the end', () => {
  const sorting = elasticSorting([{ name: 'remainingdays', direction: 'desc' }])
  expect(parseSorting(ELASTIC_ROW_FIELDS, sorting)).toEqual([
    { name: 'enddate', type: 'day', descending: true, missingIsFuture: true },
  ])
})

test.each([
  ['2026R1.3', '2026R1'],
  ['2026R1.3.17', '2026R1'],
  ['2026R1', '2026R1'],
  ['.5', ''],
  ['', ''],
])('shows rate table version %j as %j', (version, shown) => {
  const row = elasticRow({ ...units, 'CA[ENT|ansysratetableversion]': version }, '2026-11-15')
  expect(row.ansysratetableversion).toBe(shown)
})
