import type { startViewing, stopViewing } from '#contract/settings/view-as.ts'
import { HttpError } from '#server/http/http-error.ts'
import { hashOfId } from '#server/identity/principal.queries.ts'
import { findViewing, saveViewing, type Viewing } from '#server/identity/sign-in-session.queries.ts'
import { signInSessionIdOf } from '#server/identity/sign-in-session.ts'
import { listContacts } from '#server/modules/accounts/accounts.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** The guard then answers this session as it answers the contact, and refuses whatever changes something. */
export async function startView(call: Call<typeof startViewing>): Promise<Result<typeof startViewing>> {
  const { body, db, standing } = call
  const contacts = await listContacts(db, standing.customerNumber)
  if (!contacts.some(({ email }) => email === body.email))
    throw new HttpError(404, `${body.email} is not a contact of this account.`)
  await save(call, { email: body.email, customerNumber: standing.customerNumber })
  await call.audit({ target: body.email })
  return { data: null }
}

export async function stopView(call: Call<typeof stopViewing>): Promise<Result<typeof stopViewing>> {
  const viewing = await findViewing(call.db, sessionOf(call))
  if (!viewing) return { data: null }
  await save(call, null)
  const { email, customerNumber } = viewing
  await call.audit({ target: email, ...(customerNumber === null ? {} : { customerNumber }) })
  return { data: null }
}

type ViewCall = Pick<Call<typeof stopViewing>, 'db' | 'request' | 'services'>

function sessionOf({ request, services }: ViewCall): Buffer {
  const id = signInSessionIdOf(request, services.config)
  if (id === undefined) throw new Error('a signed-in person has no session')
  return hashOfId(id)
}

async function save(call: ViewCall, viewing: Viewing | null): Promise<void> {
  const { db, request, services } = call
  const hash = sessionOf(call)
  await saveViewing(db, hash, viewing)
  // The next call must see the change, and it may arrive before the notification does.
  request.raw.once('close', () => services.callers.forgetSignInSession(hash.toString('hex')))
}
