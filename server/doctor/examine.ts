import type { Kysely, Transaction } from 'kysely'
import type { DB } from '#server/db/schema.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { checkMail } from '#server/doctor/check-mail.ts'
import { checkProvider } from '#server/doctor/check-provider.ts'
import { checkSettings } from '#server/doctor/check-settings.ts'
import { CHECKS, FIRST_CHECKS, migrations } from '#server/doctor/checks.ts'
import { type Check, type Finding, failed, type Patient, type Reported } from '#server/doctor/finding.ts'
import { inSavepoint } from '#server/outbox/outbox.queries.ts'

class Done extends Error {}

/** Looks at everything as of one instant, and changes nothing. */
export async function examine(db: Kysely<DB>, options: Omit<Patient, 'tx'>): Promise<Reported[]> {
  const { config } = options
  const settings = checkSettings(config).map((finding) => ({ check: 'settings', ...finding }))
  // Before the transaction, which need not wait for others that do not answer.
  const [provider, mail] = await Promise.all([checkProvider(config), checkMail(config)])
  let found: Reported[] = []
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await allowLongWork(tx)
      found = await examineIn(tx, options)
      throw new Done()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Done)) throw error
    })
  return [
    ...settings,
    ...(provider ? [{ check: 'identity provider', ...provider }] : []),
    ...(mail ? [{ check: 'mail server', ...mail }] : []),
    ...found,
  ]
}

async function examineIn(tx: Transaction<DB>, options: Omit<Patient, 'tx'>): Promise<Reported[]> {
  const patient = { ...options, tx }
  const found: Reported[] = []
  const look = async (check: Check) => {
    const finding = await inSavepoint(tx, () => check.run(patient)).catch(
      (error: Error): Finding => failed(`could not be checked: ${error.message}`, 'Send this line to support'),
    )
    found.push({ check: check.name, ...finding })
    return finding
  }
  for (const check of FIRST_CHECKS) await look(check)
  const { level } = await look(migrations)
  if (level === 'ok') for (const check of CHECKS) await look(check)
  return found
}
