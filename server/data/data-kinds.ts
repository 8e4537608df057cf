import type { DataKind } from '#server/data/data-kind.ts'
import { accountData } from '#server/modules/accounts/accounts.public.ts'
import { productData } from '#server/modules/catalog/catalog.public.ts'

/** Every kind of record, each after those that it refers to. */
export const DATA_KINDS: readonly DataKind[] = [productData, accountData]
