import { DEMO_PEOPLE } from '#server/demo/people.ts'
import type { DemoPerson } from '#server/doors/demo-identity.ts'

/** The demo people as the sign-in page and the start show them. */
export const SIGN_IN_PEOPLE: readonly DemoPerson[] = DEMO_PEOPLE.map(
  ({ email, firstName, lastName, is, accounts }) => ({
    email,
    firstName,
    lastName,
    about: accounts.length ? `${is} on ${accounts.join(', ')}` : is,
  }),
)
