import type { Kysely } from 'kysely'
import { SETUP_TEXTS, setupStateOf, setupSteps } from '#domain/setup/setup-steps.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { loadInstalled } from '#server/modules/setup/load-installed.ts'

/** What the start prints while the installation is empty or nobody is in charge of it. */
export async function setupLines(db: Kysely<DB>, config: Pick<Config, 'signIn'>): Promise<string[]> {
  const state = setupStateOf(await loadInstalled(db, config))
  if (state === 'ready') return []
  return [
    `\n${SETUP_TEXTS[state]} What to do next:`,
    ...setupSteps(state).flatMap(({ title, why, commands }, index) => [
      `\n  ${index + 1}. ${title}. ${why}`,
      ...commands.map((command) => `     ${command}`),
    ]),
  ]
}
