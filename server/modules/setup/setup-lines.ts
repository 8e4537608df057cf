import type { Kysely } from 'kysely'
import { setupSteps } from '#domain/setup/setup-steps.ts'
import type { DB } from '#server/db/schema.ts'
import { loadInstalled } from '#server/modules/setup/load-installed.ts'

/** What the start prints while the installation is empty. */
export async function setupLines(db: Kysely<DB>): Promise<string[]> {
  const { accounts, staff } = await loadInstalled(db)
  if (accounts) return []
  const steps = setupSteps(staff ? 'empty' : 'new')
  return [
    '\nThere are no accounts yet. What to do next:',
    ...steps.flatMap(({ title, why, commands }, index) => [
      `\n  ${index + 1}. ${title}. ${why}`,
      ...commands.map((command) => `     ${command}`),
    ]),
  ]
}
