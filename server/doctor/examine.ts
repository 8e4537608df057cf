import type { Kysely, Transaction } from 'kysely'
import type { Finding, Reported } from '#domain/upkeep/finding.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { InstallationSecrets } from '#server/db/secrets.queries.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { checkSettings } from '#server/doctor/check-settings.ts'
import { CHECKS, DATA_CHECKS, FIRST_CHECKS, migrations } from '#server/doctor/checks.ts'
import { type Check, failed, ok, type Patient } from '#server/doctor/finding.ts'
import { tryMailServer } from '#server/doors/mailer.ts'
import { createProviderLoader } from '#server/identity/oidc-client.ts'
import { inSavepoint } from '#server/outbox/outbox.queries.ts'

class DoneError extends Error {}

type Examined = Omit<Patient, 'tx' | 'secrets'>

/** Checks everything as of one instant, and changes nothing. */
export async function examine(db: Kysely<DB>, options: Examined): Promise<Reported[]> {
  const { config } = options
  const settings = checkSettings(config).map((finding) => ({ check: 'settings', ...finding }))
  // Before the transaction, which should not wait for other servers.
  const [provider, mail] = await Promise.all([checkProvider(config), checkMail(config)])
  const found = await undone(db, (tx) => runChecks(patientOf(options, tx), FIRST_CHECKS, CHECKS))
  return [
    ...settings,
    ...(provider ? [{ check: 'identity provider', ...provider }] : []),
    ...(mail ? [{ check: 'mail server', ...mail }] : []),
    ...found,
  ]
}

/** Checks what was restored into a database that no portal runs on. */
export function examineData(db: Kysely<DB>, options: Examined): Promise<Reported[]> {
  return undone(db, (tx) => runChecks(patientOf(options, tx), [], DATA_CHECKS))
}

const patientOf = (options: Examined, tx: Transaction<DB>): Patient => ({
  ...options,
  tx,
  secrets: new InstallationSecrets(options.config.installationKeys),
})

async function undone(db: Kysely<DB>, look: (tx: Transaction<DB>) => Promise<Reported[]>): Promise<Reported[]> {
  let found: Reported[] = []
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await allowLongWork(tx)
      found = await look(tx)
      throw new DoneError()
    })
    .catch((error: unknown) => {
      if (!(error instanceof DoneError)) throw error
    })
  return found
}

async function runChecks(patient: Patient, first: readonly Check[], then: readonly Check[]): Promise<Reported[]> {
  const found: Reported[] = []
  const look = async (check: Check) => {
    const finding = await inSavepoint(patient.tx, () => check.run(patient)).catch(
      (error: Error): Finding => failed(`could not be checked: ${error.message}`, 'Send this line to support'),
    )
    found.push({ check: check.name, ...finding })
    return finding
  }
  for (const check of first) await look(check)
  const { level } = await look(migrations)
  if (level === 'ok') for (const check of then) await look(check)
  return found
}

/** Whether the mail server answers and lets the portal sign in; undefined where mails go to the mailbox folder. */
export async function checkMail({ mail: { smtpUrl } }: Pick<Config, 'mail'>): Promise<Finding | undefined> {
  if (smtpUrl === undefined) return undefined
  // Without the password that the address may hold.
  const { host } = new URL(smtpUrl)
  try {
    await tryMailServer(smtpUrl)
    return ok(`${host} answers`)
  } catch (error) {
    return failed(
      `${host} cannot be used: ${(error as Error).message}`,
      'Mails wait in the outbox: check SMTP_URL, and that this machine reaches it',
    )
  }
}

/** Whether the identity provider answers, as at a sign-in; undefined where only demo people sign in. */
export async function checkProvider({ signIn }: Pick<Config, 'signIn'>): Promise<Finding | undefined> {
  if (!signIn) return undefined
  try {
    await createProviderLoader(signIn)()
    return ok(`${signIn.issuer} answers`)
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? `${message} (${cause.message})` : message
    return failed(
      `${signIn.issuer} does not answer as an identity provider: ${reason}`,
      'Nobody can sign in: check OIDC_ISSUER, and that this machine reaches it',
    )
  }
}
