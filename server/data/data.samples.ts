import { RECORD_KINDS, type RecordKindName } from '#contract/data/kinds.ts'
import type { OperationName } from '#contract/operations.ts'
import type { ServiceScope } from '#domain/access/roles.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { productNamed } from '#server/demo/products.ts'
import { type Row, type Samples, service } from '#server/testing/samples/sample.ts'
import { FIRST, SECOND, seats, type Walk } from '#server/testing/samples/walk.ts'

/** Every kind has the same calls. The saves name no field, so that nothing is saved. */
function dataRows(): Record<string, Row> {
  const scopes: Record<RecordKindName, ServiceScope> = {
    products: 'catalog',
    'rate-tables': 'catalog',
    'price-lists': 'catalog',
    accounts: 'accounts',
    contacts: 'accounts',
    roles: 'roles',
    'elastic-servers': 'accounts',
    limits: 'accounts',
    'fsa-contracts': 'entitlements',
    entitlements: 'entitlements',
    hosts: 'hosts',
  }
  const removable = new Set<string>(RECORD_KINDS.filter(({ canBeRemoved }) => canBeRemoved).map(({ name }) => name))
  const removedSinceNow = () => ({ query: { removedSince: new Date().toISOString() } })
  return Object.fromEntries(
    Object.entries(scopes).flatMap(([name, scope]): [string, Row][] => {
      const id = 'no-such-id'
      const rows: [string, Row][] = [
        [`service/${name}`, service(scope, () => ({ body: { records: [{}] } }))],
        [`service/${name}/list`, service(scope, () => ({ query: { limit: '1' } }))],
        [`service/${name}/get`, service(scope, () => ({ params: { id } }), { finds: false })],
        [`service/${name}/revoke`, service(scope, () => ({ body: { ids: [id] } }))],
        [`service/${name}/removed`, service(scope, removedSinceNow)],
      ]
      return removable.has(name) ? rows : rows.slice(0, -1)
    }),
  )
}

const UNUSED = {
  partNumber: 'EVR0010110',
  name: 'Every Operation',
  itemNumber: '1',
  daemon: 'ansyslmd',
  featureNames: ['every'],
}

export const dataSamples: Samples = {
  rows: dataRows(),
  walk: saveRecords,
}

/** Records of every kind, and what is activated and assigned later. All that can be deleted is deleted again. */
async function saveRecords({ call, today }: Walk): Promise<void> {
  const sold = (purpose: string, customerNumber: string, product: string, more: object = {}) => ({
    activationId: seats(purpose),
    customerNumber,
    partNumber: productNamed(product).partNumber,
    entitlementId: `ENT-${purpose}`,
    licenseModel: 'Network',
    quantity: 10,
    startDate: addDays(today, -300),
    endDate: addDays(today, 300),
    ...more,
  })
  const further: Record<string, readonly object[]> = {
    products: [UNUSED],
    entitlements: [
      sold('first', FIRST, 'Structural Mechanics Pro'),
      sold('second', SECOND, 'Structural Mechanics Pro'),
      sold('ending', FIRST, 'Fluid Meshing', { endDate: addDays(today, 30) }),
      sold('renewal', FIRST, 'Fluid Meshing'),
      sold('web', FIRST, 'Optical Ray Studio', { licenseModel: 'Named User' }),
    ],
  }
  for (const { name, example, keyOf } of RECORD_KINDS) {
    await call(`service/${name}`, { body: { records: [example, ...(further[name] ?? [])] } })
    await call(`service/${name}/get`, { params: { id: keyOf(example) } })
  }
  const removedSince = new Date().toISOString()
  for (const { name, example, keyOf, canBeRemoved } of RECORD_KINDS.toReversed()) {
    await call(`service/${name}/revoke`, { body: { ids: [name === 'products' ? UNUSED.partNumber : keyOf(example)] } })
    if (canBeRemoved) await call(`service/${name}/removed` as OperationName, { query: { removedSince } })
  }
}
