import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entitlementList } from '#contract/entitlements/entitlement-list.ts'
import { leaseFilter, type TypedFilter } from '#contract/entitlements/lease-filter.ts'
import { leaseRow } from '#contract/entitlements/lease-row.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import type { LeaseEntitlement } from '#domain/entitlements/entitlement-row.ts'
import { LICENSE_MODEL_GROUPS, MODELS_OF_GROUP } from '#domain/entitlements/license-model.ts'
import { matches } from '#domain/filter/evaluate-filter.ts'
import { parseFilter } from '#domain/filter/parse-filter.ts'
import { refines } from '#domain/filter/refine-filter.ts'

const today = '2026-11-15'
const NOTHING = { name: 'ActivationId', method: 'ISDEFINED', value: false }
const HAS_NO_END = { name: 'EndDate', method: 'ISDEFINED', value: false }
const IS_MAINTAINED = { name: 'VersionDate', method: 'ISDEFINED', value: true }
const IS_PERMANENT = { name: 'IsActivationPermanent', method: 'EQUALS', value: 'true' }
const IS_EXPIRED = { name: 'EndDate', method: 'BEFOREDAY', value: today }
const HAS_NOT_STARTED = { name: 'StartDate', method: 'AFTERDAY', value: today }
const ends = (day: string) => ({ name: 'EndDate', method: 'EQUALS', value: `${day}T00:00:00.000Z` })

const translations: readonly (readonly [...Parameters<typeof typed>, expected: unknown])[] = [
  // Entitlement: product name and activation id
  [
    'ansysproduct',
    'CONTAINS',
    'fluid',
    {
      condition: 'ANY',
      criteria: [
        { name: 'ProductName', method: 'CONTAINS', value: 'fluid' },
        { name: 'ActivationId', method: 'CONTAINS', value: 'fluid' },
      ],
    },
  ],
  [
    'ansysproduct',
    'EQUALS',
    'Fluid Flow Pro',
    {
      condition: 'ANY',
      criteria: [
        { name: 'ProductName', method: 'EQUALS', value: 'Fluid Flow Pro' },
        { name: 'ActivationId', method: 'EQUALS', value: 'Fluid Flow Pro' },
      ],
    },
  ],
  // Count: a number, as typed or as shown
  ['ansyscount', 'EQUALS', '25', { name: 'LineItemQuantity', method: 'EQUALS', value: 25 }],
  ['ansyscount', 'EQUALS', '1,250', { name: 'LineItemQuantity', method: 'EQUALS', value: 1250 }],
  ['ansyscount', 'EQUALS', '0,19', NOTHING],
  ['ansyscount', 'EQUALS', '1250,000', NOTHING],
  ['ansyscount', 'EQUALS', 'many', NOTHING],
  ['ansyscount', 'EQUALS', '2.5', NOTHING],
  // dates: a whole day becomes an instant, a piece is looked for in the text
  ['startdate', 'EQUALS', '2026-03-01', { name: 'StartDate', method: 'EQUALS', value: '2026-03-01T00:00:00.000Z' }],
  ['startdate', 'CONTAINS', '2026-03', { name: 'StartDate', method: 'CONTAINS', value: '2026-03', tostring: true }],
  ['enddate', 'EQUALS', '2026-12-31', ends('2026-12-31')],
  [
    'enddate',
    'CONTAINS',
    'maintenance ended',
    { condition: 'ALL', criteria: [HAS_NO_END, { name: 'VersionDate', method: 'BEFOREDAY', value: today }] },
  ],
  [
    'enddate',
    'CONTAINS',
    '2026-12-31',
    {
      condition: 'ANY',
      criteria: [
        ends('2026-12-31'),
        {
          condition: 'ALL',
          criteria: [HAS_NO_END, { name: 'VersionDate', method: 'EQUALS', value: '2026-12-31T00:00:00.000Z' }],
        },
      ],
    },
  ],
  ['enddate', 'EQUALS', '2026-02-30', { name: 'EndDate', method: 'EQUALS', value: '2026-02-30', tostring: true }],
  [
    'enddate',
    'CONTAINS',
    '-12-',
    {
      condition: 'ANY',
      criteria: [
        { name: 'EndDate', method: 'CONTAINS', value: '-12-', tostring: true },
        {
          condition: 'ALL',
          criteria: [HAS_NO_END, { name: 'VersionDate', method: 'CONTAINS', value: '-12-', tostring: true }],
        },
      ],
    },
  ],
  // what is permanent shows its maintenance there
  ['enddate', 'CONTAINS', 'Maintenance ends on', { condition: 'ALL', criteria: [HAS_NO_END, IS_MAINTAINED] }],
  ['enddate', 'CONTAINS', 'maint', { condition: 'ALL', criteria: [HAS_NO_END, IS_MAINTAINED] }],
  ['enddate', 'CONTAINS', 'ENDS ON', { condition: 'ALL', criteria: [HAS_NO_END, IS_MAINTAINED] }],
  ['enddate', 'EQUALS', 'Maintenance ends on', NOTHING],
  [
    'enddate',
    'CONTAINS',
    's on 2027-0',
    {
      condition: 'ALL',
      criteria: [HAS_NO_END, { name: 'VersionDate', method: 'STARTSWITH', value: '2027-0', tostring: true }],
    },
  ],
  ['enddate', 'CONTAINS', 'starts on 2027', NOTHING],
  ['enddate', 'EQUALS', 'ends on 2027-04-30', NOTHING],
  [
    'enddate',
    'CONTAINS',
    'maintenance ends on 2027-04-30',
    {
      condition: 'ALL',
      criteria: [HAS_NO_END, { name: 'VersionDate', method: 'EQUALS', value: '2027-04-30T00:00:00.000Z' }],
    },
  ],
  [
    'enddate',
    'CONTAINS',
    'Maintenance ends on 2027',
    {
      condition: 'ALL',
      criteria: [HAS_NO_END, { name: 'VersionDate', method: 'STARTSWITH', value: '2027', tostring: true }],
    },
  ],
  [
    'enddate',
    'EQUALS',
    'Maintenance ends on 2027-04-30',
    {
      condition: 'ALL',
      criteria: [HAS_NO_END, { name: 'VersionDate', method: 'EQUALS', value: '2027-04-30T00:00:00.000Z' }],
    },
  ],
  // remaining days: N days from now, the end day counted
  ['remainingdays', 'EQUALS', '1', ends('2026-11-15')],
  ['remainingdays', 'CONTAINS', '30', ends('2026-12-14')],
  ['remainingdays', 'EQUALS', '0', ends('2026-11-14')],
  ['remainingdays', 'EQUALS', '-3', ends('2026-11-11')],
  ['remainingdays', 'EQUALS', '1,200', ends('2030-02-26')],
  ['remainingdays', 'EQUALS', '999999999999', NOTHING],
  ['remainingdays', 'EQUALS', '-900000', NOTHING],
  ['remainingdays', 'EQUALS', 'PERMANENT', IS_PERMANENT],
  ['remainingdays', 'CONTAINS', 'perm', IS_PERMANENT],
  ['remainingdays', 'EQUALS', 'perm', NOTHING],
  ['remainingdays', 'EQUALS', 'EXPIRED', IS_EXPIRED],
  ['remainingdays', 'CONTAINS', 'Exp', IS_EXPIRED],
  ['remainingdays', 'EQUALS', 'not started', HAS_NOT_STARTED],
  ['remainingdays', 'CONTAINS', 'NOT ST', HAS_NOT_STARTED],
  ['remainingdays', 'CONTAINS', 'ED', { condition: 'ANY', criteria: [IS_EXPIRED, HAS_NOT_STARTED] }],
  ['remainingdays', 'CONTAINS', 'never', NOTHING],
]

function typed(column: TypedFilter['column'], method: TypedFilter['method'], text: string): TypedFilter {
  return { column, method, text }
}

test.each(translations)('the filter %s %s %j is translated for the server', (column, method, text, expected) => {
  expect(leaseFilter([typed(column, method, text)], today)).toEqual({ condition: 'ALL', criteria: [expected] })
})

test('the server accepts every translated filter', () => {
  for (const [column, method, text] of translations)
    expect(() => parseFilter(entitlementList.fields, leaseFilter([typed(column, method, text)], today))).not.toThrow()
})

test('all columns must match; an empty text filters nothing', () => {
  const filter = leaseFilter(
    [
      typed('ansyscount', 'EQUALS', ' 3 '),
      typed('remainingdays', 'CONTAINS', '  '),
      typed('enddate', 'CONTAINS', '20'),
    ],
    today,
  )
  expect(filter.criteria).toEqual([
    { name: 'LineItemQuantity', method: 'EQUALS', value: 3 },
    {
      condition: 'ANY',
      criteria: [
        { name: 'EndDate', method: 'CONTAINS', value: '20', tostring: true },
        {
          condition: 'ALL',
          criteria: [HAS_NO_END, { name: 'VersionDate', method: 'CONTAINS', value: '20', tostring: true }],
        },
      ],
    },
  ])
})

describe('a filter finds the rows whose cell shows the text', () => {
  const models = [...Object.values(MODELS_OF_GROUP).flat(), 'Orbital Token', '', 'shared web']
  const rows = models.flatMap((model) =>
    ['Solver', 'Solver (NODE)', 'Solver (node)'].map((product) =>
      entitlement({ LicenseModel: model, ProductName: product }),
    ),
  )

  test.each(['CONTAINS', 'EQUALS'] as const)('license models are found by %s', (method) => {
    const texts = [...LICENSE_MODEL_GROUPS, 'net', 'NODE', 'web', 'e', 'S', 'user', 'Apache', 'nothing like it']
    for (const text of texts) {
      const expected = rows.filter((row) => shows(leaseRow(row, today).ansyslicensemodel, method, text))
      expect(found(rows, typed('ansyslicensemodel', method, text)), text).toEqual(expected)
    }
  })

  const day = fc.date({ min: new Date('2019-01-01'), max: new Date('2031-12-31'), noInvalidDate: true })
  const dayText = day.map((date) => date.toISOString().slice(0, 10))
  const termRow = fc.oneof(
    dayText.map((EndDate) => entitlement({ EndDate })),
    fc.option(dayText).map((VersionDate) => entitlement({ EndDate: null, IsActivationPermanent: 'true', VersionDate })),
  )
  const anyText = fc.string({ unit: fc.constantFrom(...'0123456789-', ...'Maintenance ends on'), maxLength: 12 })

  test.each(['CONTAINS', 'EQUALS'] as const)('any part of what the Expiration Date shows is found by %s', (method) => {
    fc.assert(
      fc.property(
        fc.array(termRow, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.option(anyText),
        (some, which, from, length, other) => {
          const cell = leaseRow(some[which % some.length] as LeaseEntitlement, today).enddate
          const start = from % cell.length
          const part = method === 'EQUALS' ? cell : cell.slice(start, start + 1 + (length % (cell.length - start)))
          const text = (other ?? part).trim()
          const expected = some.filter((row) => text === '' || shows(leaseRow(row, today).enddate, method, text))
          expect(found(some, typed('enddate', method, text))).toEqual(expected)
          expect(found(some, typed('enddate', method, text.toUpperCase()))).toEqual(expected)
        },
      ),
      { numRuns: 2000, seed: 1 },
    )
  })

  test('a longer text refines the loaded rows', () => {
    const texts = ['ends on', 'ends on 2', 'ends on 2026', 'ends on 2026-10-3']
    const digits = ['2', '20', '2026-1', '2026-10-3']
    for (const steps of [texts, digits])
      for (const [index, text] of steps.entries()) {
        const wide = leaseFilter([typed('enddate', 'CONTAINS', steps[index - 1] ?? '')], today)
        const narrow = leaseFilter([typed('enddate', 'CONTAINS', text)], today)
        expect(
          refines(parseFilter(entitlementList.fields, narrow), parseFilter(entitlementList.fields, wide)),
          text,
        ).toBe(true)
      }
  })

  test('remaining days of leases around today, and of permanent ones, are found', () => {
    const offsets = [-400, -31, -2, -1, 0, 1, 2, 29, 30, 31, 400]
    const leases = offsets.flatMap((from) =>
      offsets
        .filter((to) => to >= from)
        .map((to) => entitlement({ StartDate: addDays(today, from), EndDate: addDays(today, to) })),
    )
    const permanent = offsets.map((from) =>
      entitlement({ StartDate: addDays(today, from), EndDate: null, IsActivationPermanent: 'true' }),
    )
    const started = [...leases, ...permanent].filter((row) => row.StartDate <= today)
    for (const text of ['1', '2', '30', '31', '401', 'EXPIRED', 'PERMANENT', 'NOT STARTED', 'not started', '7'])
      expect(found(started, typed('remainingdays', 'EQUALS', text)), text).toEqual(
        started.filter((row) => shows(String(leaseRow(row, today).remainingdays), 'EQUALS', text)),
      )
    expect(found(leases, typed('remainingdays', 'EQUALS', 'NOT STARTED'))).toEqual(
      leases.filter((row) => leaseRow(row, today).remainingdays === 'NOT STARTED'),
    )
  })
})

function entitlement(other: Partial<LeaseEntitlement>): LeaseEntitlement {
  return {
    ActivationId: 'a-1',
    ProductName: 'Solver',
    LicenseModel: 'Network',
    LineItemQuantity: 1,
    StartDate: '2026-01-01',
    EndDate: '2026-12-31',
    VersionDate: '2026-12-31',
    IsActivationPermanent: 'false',
    'CA[ENT|ansystype]': 'Lease',
    ...other,
  }
}

function found(rows: readonly LeaseEntitlement[], one: TypedFilter): LeaseEntitlement[] {
  const filter = parseFilter(entitlementList.fields, leaseFilter([one], today))
  return rows.filter((row) => matches(filter, row))
}

function shows(cell: string, method: TypedFilter['method'], text: string): boolean {
  const [shown, looked] = [cell.toLowerCase(), text.toLowerCase()]
  return method === 'EQUALS' ? shown === looked : shown.includes(looked)
}
