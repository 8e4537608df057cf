import type { changePin as operation } from '#contract/elastic/credentials/credentials.ts'
import { isPin, PIN_NOT_VALID } from '#domain/elastic/credentials/pin.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import {
  editedCredential,
  findPin,
  lockCredentials,
  savePin,
} from '#server/modules/elastic/credentials/credentials.queries.ts'
import { mailAdministrators } from '#server/modules/elastic/credentials/credentials-mail.ts'
import { findNamedServer } from '#server/modules/elastic/credentials/named-server.ts'
import { countSave, findRevision } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The PIN was changed by somebody else in the meantime.'

export async function changePin(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now } = call
  const { secrets } = call.services
  const { pin } = body
  if (!isPin(pin)) throw new HttpError(400, PIN_NOT_VALID)
  const server = await findNamedServer(call)
  await lockCredentials(db, server)
  const edited = editedCredential('PIN', server)
  const current = { pin: await findPin(db, secrets, server), revision: await findRevision(db, edited) }
  // No-op: the PIN is stored already, perhaps by a call whose answer was lost.
  if (current.pin === pin) return { data: { revision: current.revision } }
  const revision = await countSave(db, edited, body.revision)
  if (revision === undefined) throw new ConflictError(CHANGED_MEANWHILE, { current, yours: { pin } })

  await savePin(db, secrets, server, pin, { email: actor.email, at: now })
  // Neither the log nor the mail contains the old or the new PIN.
  await call.audit({ target: server.deviceId })
  await mailAdministrators(call, server, {
    kind: 'PIN',
    title: 'The PIN of your elastic license server has been changed',
    text: 'Applications need the new PIN to start sessions. Running sessions continue. The PIN is shown in the portal.',
    path: 'clscredentials',
  })
  return { data: { revision } }
}
