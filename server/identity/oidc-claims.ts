import type { Kysely } from 'kysely'
import type { IDToken } from 'openid-client'
import type { StaffRole } from '#domain/access/roles.ts'
import { readEmail } from '#domain/settings/email-address.ts'
import { domainOf } from '#domain/sign-in-providers/domain-name.ts'
import type { SignInConfig } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { findProvenDomain } from '#server/identity/proven-domains.queries.ts'

export type Identity = { email: string; firstName: string; lastName: string; roles: StaffRole[] }

/** The person in the claims; a string is the reason why the portal rejects them. */
export function identityOf(claims: IDToken, settings: SignInConfig): Identity | string {
  const email = emailOf(claims)
  if (email === undefined) return 'The identity provider sent no email address that the portal can use.'
  const verified = claims.email_verified === true || (claims.email_verified === undefined && settings.trustEmail)
  if (!verified) return `The identity provider has not verified the email address ${email}.`
  return { email, ...nameOf(claims), roles: rolesOf(claims, settings) }
}

function nameOf(claims: IDToken): Pick<Identity, 'firstName' | 'lastName'> {
  const [first = '', ...rest] = text(claims.name).split(' ')
  return { firstName: text(claims.given_name) || first, lastName: text(claims.family_name) || rest.join(' ') }
}

/**
 * The person in the claims of an account's own provider. It speaks only for the domains that the account has proven. Who owns a domain says who
 * has its addresses, so a missing `email_verified` is no refusal.
 */
export async function identityOfAccount(
  db: Kysely<DB>,
  customerNumber: string,
  claims: IDToken,
  needs: 'proven' | 'in use',
): Promise<Omit<Identity, 'roles'> | string> {
  const email = emailOf(claims)
  if (email === undefined) return 'The identity provider sent no email address that the portal can use.'
  if (claims.email_verified === false) return `The identity provider has not verified the email address ${email}.`
  const domain = await findProvenDomain(db, domainOf(email))
  if (domain?.customer_number !== customerNumber)
    return `The domain of ${email} is none of the proven domains of the account.`
  if (needs === 'in use' && !domain.is_on) return 'The sign-in through this identity provider is switched off.'
  return { email, ...nameOf(claims) }
}

export function emailOf(claims: IDToken): string | undefined {
  return typeof claims.email === 'string' ? readEmail(claims.email) : undefined
}

/** Only mapped values give a role: a directory may have an unrelated group named `admin`. */
export function rolesOf(claims: IDToken, { roleClaim, roleMap }: SignInConfig): StaffRole[] {
  const claim: unknown = roleClaim === undefined ? undefined : claims[roleClaim]
  const values: unknown[] = Array.isArray(claim) ? claim : [claim]
  const roles = values.flatMap((value) => (typeof value === 'string' ? (roleMap.get(value) ?? []) : []))
  return [...new Set(roles)]
}

/** Names are shown to people: control characters, which the database cannot store either, are removed. */
const text = (claim: unknown): string =>
  typeof claim === 'string'
    ? claim
        .replaceAll(/\p{Cc}/gu, '')
        .trim()
        .slice(0, 200)
    : ''
