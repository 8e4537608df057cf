import type { Kysely } from 'kysely'
import { type Installed, SETUP_TEXTS, setupStateOf, setupSteps } from '#domain/setup/setup-steps.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { hasAccounts } from '#server/modules/accounts/accounts.public.ts'
import { hasStaffRoles } from '#server/modules/staff/staff.public.ts'

export async function loadInstalled(db: Kysely<DB>, { signIn }: Pick<Config, 'signIn'>): Promise<Installed> {
  return { accounts: await hasAccounts(db), staff: await hasStaffRoles(db), roleClaims: !!signIn?.roleMap.size }
}

/** What the start prints while the installation is empty or nobody is in charge of it. */
export async function setupLines(db: Kysely<DB>, config: Pick<Config, 'signIn'>): Promise<string[]> {
  const state = setupStateOf(await loadInstalled(db, config))
  if (state === 'ready') return []
  return [
    `\n${SETUP_TEXTS[state]} What to do next:`,
    ...setupSteps(state, BUILD_INFO).flatMap(({ title, why, commands }, index) => [
      `\n  ${index + 1}. ${title}. ${why}`,
      ...commands.map((command) => `     ${command}`),
    ]),
  ]
}
