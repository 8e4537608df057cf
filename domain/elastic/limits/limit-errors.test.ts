import { describe, expect, test } from 'vitest'
import {
  AMOUNT_REQUIRED,
  CURRENCY_WRONG,
  DAY_WRONG,
  DAYS_REVERSED,
  LIMIT_TWICE,
  limitErrors,
  PRODUCTS_REQUIRED,
  productRuleErrors,
  REFUSE_WRONG,
  RULE_TWICE,
  readLimit,
  type TypedLimit,
  toTyped,
  UNITS_WRONG,
  WARN_ABOVE_REFUSE,
} from '#domain/elastic/limits/limit-errors.ts'

const typed = (changes: Partial<TypedLimit> = {}): TypedLimit => ({
  subject: 'user',
  user: null,
  project: null,
  product: null,
  period: 'month',
  currency: 'AEU',
  warnAt: '',
  refuseAt: '100',
  from: '',
  to: '',
  ...changes,
})

describe('a limit that was typed', () => {
  test.each<[what: string, changes: Partial<TypedLimit>, errors: object]>([
    ['is right', {}, {}],
    ['is right with everything', { warnAt: '80.5', from: '2026-11-01', to: '2026-11-01' }, {}],
    ['has no amount', { refuseAt: ' ' }, { refuseAt: AMOUNT_REQUIRED }],
    ['only warns', { refuseAt: '', warnAt: '0' }, {}],
    ['refuses at 0', { refuseAt: '0.00' }, { refuseAt: REFUSE_WRONG }],
    ['has three decimals', { refuseAt: '1.005' }, { refuseAt: REFUSE_WRONG }],
    ['has an exponent', { warnAt: '1e5' }, { warnAt: UNITS_WRONG }],
    ['is negative', { warnAt: '-1' }, { warnAt: UNITS_WRONG }],
    ['warns after it refuses', { warnAt: '100.01' }, { warnAt: WARN_ABOVE_REFUSE }],
    ['has no currency', { currency: '' }, { currency: CURRENCY_WRONG }],
    ['has a day that does not exist', { from: '2026-02-30' }, { from: DAY_WRONG }],
    ['ends before it begins', { from: '2026-11-02', to: '2026-11-01' }, { to: DAYS_REVERSED }],
  ])('%s', (_, changes, errors) => {
    expect(limitErrors([typed(changes)])).toEqual([errors])
  })

  test.each<[what: string, second: Partial<TypedLimit>, isTwice: boolean]>([
    ['equal', {}, true],
    ['of another user', { user: 'bob' }, false],
    ['of another period', { period: 'day' }, false],
    ['of another currency', { currency: 'USD' }, false],
    ['with a name that its subject does not have', { product: 'Fluids' }, true],
    ['of days that meet', { from: '2026-12-31' }, true],
    ['of other days', { from: '2027-01-01' }, false],
  ])('beside a limit until the end of the year, one that is %s is refused: $2', (_, second, isTwice) => {
    const [, errors] = limitErrors([typed({ to: '2026-12-31' }), typed(second)])
    expect(errors).toEqual(isTwice ? { user: LIMIT_TWICE } : {})
  })

  test('is kept without blanks, with two decimals and without names of other subjects', () => {
    const limit = readLimit(typed({ user: ' Anna\t', product: 'Fluids', warnAt: ' 80.5 ', refuseAt: '100' }))
    expect(limit).toMatchObject({ user: 'Anna', product: null, warnAt: '80.50', refuseAt: '100.00', from: null })
    expect(readLimit(toTyped(limit))).toEqual(limit)
  })

  test('usernames of another case are the same', () => {
    expect(limitErrors([typed({ user: 'Anna' }), typed({ user: 'ANNA' })])[1]).toEqual({ user: LIMIT_TWICE })
  })
})

test('product rules name products, and each user once', () => {
  const rule = (user: string | null, products = ['Fluids']) => ({ user, kind: 'allow' as const, products })
  expect(productRuleErrors([rule(null), rule('Anna'), rule('anna'), rule(null), rule('bob', [])])).toEqual([
    {},
    {},
    { user: RULE_TWICE },
    { user: RULE_TWICE },
    { products: PRODUCTS_REQUIRED },
  ])
})
