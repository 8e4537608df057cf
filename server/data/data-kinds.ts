import type { DataKind } from '#server/data/data-kind.ts'
import type { FileKind } from '#server/data/files/file-kind.ts'
import { roleData } from '#server/data/role-data.ts'
import { accountData, contactData, grantData } from '#server/modules/accounts/accounts.public.ts'
import { countReserved, fulfillmentData, hostData } from '#server/modules/activations/activations.public.ts'
import { priceData, productData, rateData } from '#server/modules/catalog/catalog.public.ts'
import { elasticServerData, limitData, usageData } from '#server/modules/elastic/elastic.public.ts'
import { entitlementData } from '#server/modules/entitlements/entitlements.public.ts'
import { fsaContractData, refuseOrders } from '#server/modules/fsa/fsa.public.ts'
import { staffRoleData } from '#server/modules/staff/staff.public.ts'
import { countAssigned } from '#server/modules/web-licenses/web-licenses.public.ts'

/** Every kind of record, each after those that it refers to. */
export const DATA_KINDS: readonly DataKind[] = [
  productData,
  rateData,
  priceData,
  accountData,
  contactData,
  roleData({ staff: staffRoleData, grants: grantData }),
  elasticServerData,
  limitData,
  fsaContractData,
  entitlementData({ refuseOrders, reserved: countReserved, assigned: countAssigned }),
  hostData,
]

/** The kinds that files can have, in the order in which they fill an empty installation. */
export const FILE_KINDS = [...DATA_KINDS, fulfillmentData, usageData] as readonly FileKind[]
