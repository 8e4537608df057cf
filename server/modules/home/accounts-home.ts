import type { Kysely } from 'kysely'
import { type AccountsHome, MOST_ACCOUNTS } from '#contract/home/accounts-home.ts'
import { ENDING_STEPS } from '#domain/home/ending.ts'
import type { DB } from '#server/db/schema.ts'
import { listAccountsOverdrawn, listAccountsWithDenials } from '#server/modules/elastic/elastic.public.ts'
import { listAccountsWithEnding } from '#server/modules/entitlements/entitlements.public.ts'
import { DENIAL_DAYS } from '#server/modules/home/account-home.ts'

/** The accounts that need attention, for staff. */
export async function loadAccountsHome(db: Kysely<DB>, now: Date): Promise<AccountsHome> {
  const limit = MOST_ACCOUNTS
  const [denied, overdrawn, ending] = await Promise.all([
    listAccountsWithDenials(db, { now, days: DENIAL_DAYS, limit }),
    listAccountsOverdrawn(db, { now, limit }),
    listAccountsWithEnding(db, { now, days: ENDING_STEPS[0], limit }),
  ])
  return { denied, overdrawn, ending }
}
