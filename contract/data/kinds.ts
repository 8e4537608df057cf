import { accountRecords } from '#contract/data/accounts.ts'
import { contactRecords } from '#contract/data/contacts.ts'
import { elasticServerRecords } from '#contract/data/elastic-servers.ts'
import { entitlementRecords } from '#contract/data/entitlements.ts'
import { fsaContractRecords } from '#contract/data/fsa-contracts.ts'
import { hostRecords } from '#contract/data/hosts.ts'
import { limitRecords } from '#contract/data/limits.ts'
import { priceRecords } from '#contract/data/price-lists.ts'
import { productRecords } from '#contract/data/products.ts'
import { rateRecords } from '#contract/data/rate-tables.ts'
import type { RecordKind } from '#contract/data/record-kind.ts'
import { roleRecords } from '#contract/data/roles.ts'

const kinds = [
  productRecords,
  rateRecords,
  priceRecords,
  accountRecords,
  contactRecords,
  roleRecords,
  elasticServerRecords,
  limitRecords,
  fsaContractRecords,
  entitlementRecords,
  hostRecords,
] as const satisfies readonly RecordKind[]

export type RecordKindName = (typeof kinds)[number]['name']

/** Every kind of record, each after those that it refers to: in this order an empty installation can be filled. */
export const RECORD_KINDS: readonly RecordKind<RecordKindName>[] = kinds
