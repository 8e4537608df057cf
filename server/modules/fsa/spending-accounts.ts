import type { Kysely } from 'kysely'
import type { FsaContract } from '#domain/fsa/contract.ts'
import type { DB } from '#server/db/schema.ts'
import { listFsaPrices } from '#server/modules/catalog/catalog.public.ts'
import { listContractRows } from '#server/modules/fsa/contracts.queries.ts'
import { toContract, toProducts } from '#server/modules/fsa/fsa.mapping.ts'

/** Contracts with their balances and price lists, the last to end first. */
export async function loadSpendingAccounts(
  db: Kysely<DB>,
  customerNumber: string,
): Promise<(FsaContract & { readonly available: string })[]> {
  const rows = await listContractRows(db, customerNumber)
  const prices = await listFsaPrices(db, [...new Set(rows.map(({ currency }) => currency))])
  return rows.map((row) => ({ ...toContract(row, toProducts(prices, row.currency)), available: row.available }))
}
