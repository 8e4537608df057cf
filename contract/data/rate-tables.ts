import { decimal, partNumber, rateTableVersion } from '#contract/data/fields.ts'
import { recordKind } from '#contract/data/record-kind.ts'
import { exactly } from '#contract/kit/schema.ts'

export const rateRecords = recordKind({
  name: 'rate-tables',
  noun: 'the rate',
  scope: 'catalog',
  summary: 'What one hour of a product costs in elastic units, in one version of the rate table',
  revoking: 'It is removed, unless an elastic entitlement is charged by this version: IN_USE.',
  canBeRemoved: true,
  key: ['rateTableVersion', 'partNumber'],
  schema: exactly({
    rateTableVersion: rateTableVersion({ description: 'Entitlements name it', examples: ['2026R2'] }),
    partNumber,
    unitsPerHour: decimal(4, { description: 'Of one count, more than 0, as text', examples: ['7.5000'] }),
  }),
})
