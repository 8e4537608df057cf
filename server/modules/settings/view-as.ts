import type { startViewing, stopViewing } from '#contract/settings/view-as.ts'
import { HttpError } from '#server/http/http-error.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'
import { saveViewing } from '#server/identity/sign-in-session.queries.ts'
import { signInSessionIdOf } from '#server/identity/sign-in-session.ts'
import { listContacts } from '#server/modules/accounts/accounts.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** The guard then answers this session as it answers the contact, and refuses whatever changes something. */
export async function startView(call: Call<typeof startViewing>): Promise<Result<typeof startViewing>> {
  const { body, db, standing } = call
  const contacts = await listContacts(db, standing.customerNumber)
  if (!contacts.some(({ email }) => email === body.email))
    throw new HttpError(404, `${body.email} is not a contact of this account.`)
  await save(call, body.email)
  await call.audit({ target: body.email })
  return { data: null }
}

export async function stopView(call: Call<typeof stopViewing>): Promise<Result<typeof stopViewing>> {
  const { actor, request } = call
  const isViewing = request.caller?.viewedBy !== undefined
  await save(call, null)
  if (isViewing) await call.audit({ target: actor.email })
  return { data: null }
}

type ViewCall = Pick<Call<typeof stopViewing>, 'db' | 'request' | 'services'>

async function save({ db, request, services }: ViewCall, email: string | null): Promise<void> {
  const id = signInSessionIdOf(request, services.config)
  if (id === undefined) throw new Error('a signed-in person has no session')
  const hash = hashOfId(id)
  await saveViewing(db, hash, email)
  // The next call must see the change, and it may arrive before the notification does.
  request.raw.once('close', () => services.callers.forgetSignInSession(hash.toString('hex')))
}
