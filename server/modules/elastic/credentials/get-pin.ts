import { randomInt } from 'node:crypto'
import type { getPin as operation } from '#contract/elastic/credentials/credentials.ts'
import { can } from '#domain/access/can.ts'
import { PIN_LENGTH, PIN_NOT_FOUND } from '#domain/elastic/credentials/pin.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { editedCredential, findPin, insertFirstPin } from '#server/modules/elastic/credentials/credentials.queries.ts'
import { findNamedServer } from '#server/modules/elastic/credentials/named-server.ts'
import { findRevision } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** A server without a PIN gets a random one as soon as a person with the right to write reads it. */
export async function getPin(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, db, now, standing } = call
  const { secrets } = call.services
  const server = await findNamedServer(call)
  const revision = await findRevision(db, editedCredential('PIN', server))
  const stored = await findPin(db, secrets, server)
  if (stored !== null) {
    await call.audit({ target: server.deviceId })
    return { data: { pin: stored, revision } }
  }
  if (!can(actor, 'credentials.write', standing).allowed) throw new BusinessRefusal('PIN_NOT_FOUND', PIN_NOT_FOUND)

  const isFirst = await insertFirstPin(db, secrets, server, randomPin(), { email: actor.email, at: now })
  await call.audit({ target: server.deviceId, ...(isFirst ? { after: { isPinCreated: true } } : {}) })
  // The second of two concurrent calls has waited for the lock and finds the PIN of the first.
  const pin = await findPin(db, secrets, server)
  if (pin === null) throw new Error(`${server.deviceId} has no PIN, although one was made`)
  return { data: { pin, revision } }
}

const randomPin = () => String(randomInt(10 ** PIN_LENGTH)).padStart(PIN_LENGTH, '0')
