import type { Kysely } from 'kysely'
import type { Installed } from '#domain/setup/setup-steps.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { hasAccounts } from '#server/modules/accounts/accounts.public.ts'
import { hasStaffRoles } from '#server/modules/staff/staff.public.ts'

export async function loadInstalled(db: Kysely<DB>, { signIn }: Pick<Config, 'signIn'>): Promise<Installed> {
  return { accounts: await hasAccounts(db), staff: await hasStaffRoles(db), roleClaims: !!signIn?.roleMap.size }
}
