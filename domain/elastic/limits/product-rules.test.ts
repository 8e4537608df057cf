import { expect, test } from 'vitest'
import { isProductAllowed, type ProductRule } from '#domain/elastic/limits/product-rules.ts'

const allow = (user: string | null, ...products: string[]): ProductRule => ({ user, kind: 'allow', products })
const deny = (user: string | null, ...products: string[]): ProductRule => ({ user, kind: 'deny', products })

test.each<[what: string, rules: ProductRule[], product: string, isAllowed: boolean]>([
  ['without rules', [], 'Fluids', true],
  ['on an allow list', [allow('ANNA', 'Fluids')], 'Fluids', true],
  ['not on an allow list', [allow('anna', 'Fluids')], 'Optics', false],
  ['on a deny list', [deny('anna', 'Fluids')], 'Fluids', false],
  ['not on a deny list, such as a new one', [deny('anna', 'Fluids')], 'Optics', true],
  ['on the list of somebody else', [deny('bob', 'Fluids')], 'Fluids', true],
  ['on the deny list of everybody else', [deny(null, 'Fluids')], 'Fluids', false],
  ['on an own list, whatever is for everybody else', [deny(null, 'Fluids'), allow('anna', 'Fluids')], 'Fluids', true],
  [
    'not on an own list, whatever is for everybody else',
    [allow(null, 'Optics'), allow('anna', 'Fluids')],
    'Optics',
    false,
  ],
])('Anna may start a product %s: $3', (_, rules, product, isAllowed) => {
  expect(isProductAllowed(rules, 'Anna', product)).toBe(isAllowed)
})
