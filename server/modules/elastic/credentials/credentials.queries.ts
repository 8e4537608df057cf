import { type Kysely, sql, type Transaction } from 'kysely'
import type { IpRule } from '#domain/elastic/credentials/ip-rules.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import { openPin, PIN_SECRET, type Server, sealPin } from '#server/modules/elastic/credentials/pin.seal.ts'
import { type Edited, findRevision } from '#server/operations/revisions.queries.ts'

export function findElasticServer(db: Kysely<DB>, { customerNumber, deviceId }: Server) {
  return db
    .selectFrom('elastic_server')
    .select(['device_id', 'alias'])
    .where('customer_number', '=', customerNumber)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
}

/** Locks a server, so that concurrent saves of its credentials and rules are serialized. */
export async function lockCredentials(tx: Transaction<DB>, { deviceId }: Server): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('elastic credentials'), hashtext(${deviceId}))`.execute(tx)
}

/** The subject under which the revision of a server's PIN or of one of its lists is stored. */
export function editedCredential(what: 'PIN' | 'usernames' | 'IP rules', { customerNumber, deviceId }: Server): Edited {
  return { customerNumber, subject: `${what} of ${deviceId}` }
}

export async function findPin(db: Kysely<DB>, secrets: InstallationSecrets, server: Server): Promise<string | null> {
  const row = await db
    .selectFrom('elastic_pin')
    .select('sealed_pin')
    .where('customer_number', '=', server.customerNumber)
    .where('device_id', '=', server.deviceId)
    .executeTakeFirst()
  return row ? openPin(await secrets.load(db, PIN_SECRET), server, row.sealed_pin) : null
}

/** Whether a PIN was sealed by this installation. */
export async function opensPin(db: Kysely<DB>, secrets: InstallationSecrets, server: Server): Promise<boolean> {
  return findPin(db, secrets, server).then(
    (pin) => pin !== null,
    () => false,
  )
}

type By = { readonly email: string; readonly at: Date }

export async function savePin(
  tx: Transaction<DB>,
  secrets: InstallationSecrets,
  server: Server,
  pin: string,
  by: By,
): Promise<void> {
  const row = await sealedRow(tx, secrets, server, pin, by)
  const { sealed_pin, saved_by, saved_at } = row
  await tx
    .insertInto('elastic_pin')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['customer_number', 'device_id']).doUpdateSet({ sealed_pin, saved_by, saved_at }),
    )
    .execute()
}

/** False if the server has a PIN already. */
export async function insertFirstPin(
  tx: Transaction<DB>,
  secrets: InstallationSecrets,
  server: Server,
  pin: string,
  by: By,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('elastic_pin')
    .values(await sealedRow(tx, secrets, server, pin, by))
    .onConflict((conflict) => conflict.doNothing())
    .returning('device_id')
    .executeTakeFirst()
  return inserted !== undefined
}

async function sealedRow(db: Kysely<DB>, secrets: InstallationSecrets, server: Server, pin: string, { email, at }: By) {
  return {
    customer_number: server.customerNumber,
    device_id: server.deviceId,
    sealed_pin: sealPin(await secrets.load(db, PIN_SECRET), server, pin),
    saved_by: email,
    saved_at: at,
  }
}

export async function loadUsernames(db: Kysely<DB>, server: Server) {
  const revision = await findRevision(db, editedCredential('usernames', server))
  const rows = await db
    .selectFrom('elastic_username')
    .select('username')
    .where('customer_number', '=', server.customerNumber)
    .where('device_id', '=', server.deviceId)
    .orderBy('position')
    .execute()
  return { users: rows.map(({ username }) => username), revision }
}

export async function saveUsernames(tx: Transaction<DB>, server: Server, users: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('elastic_username')
    .where('customer_number', '=', server.customerNumber)
    .where('device_id', '=', server.deviceId)
    .execute()
  await sql`
    insert into elastic_username (customer_number, device_id, position, username)
    select ${server.customerNumber}, ${server.deviceId}, position, username
      from unnest(${users}::text[]) with ordinality as list (username, position)`.execute(tx)
}

export async function loadIpRules(db: Kysely<DB>, server: Server) {
  const revision = await findRevision(db, editedCredential('IP rules', server))
  const rules: IpRule[] = await db
    .selectFrom('elastic_ip_rule')
    .select(['name', 'address'])
    .where('customer_number', '=', server.customerNumber)
    .where('device_id', '=', server.deviceId)
    .orderBy('position')
    .execute()
  return { rules, revision }
}

export async function saveIpRules(
  tx: Transaction<DB>,
  { customerNumber, deviceId }: Server,
  rules: readonly (IpRule & { readonly network: string })[],
): Promise<void> {
  await tx
    .deleteFrom('elastic_ip_rule')
    .where('customer_number', '=', customerNumber)
    .where('device_id', '=', deviceId)
    .execute()
  if (rules.length === 0) return
  const rows = rules.map((rule, index) => ({
    customer_number: customerNumber,
    device_id: deviceId,
    position: index + 1,
    ...rule,
  }))
  await tx.insertInto('elastic_ip_rule').values(rows).execute()
}
