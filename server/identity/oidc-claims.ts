import type { IDToken } from 'openid-client'
import type { StaffRole } from '#domain/access/roles.ts'
import { readEmail } from '#domain/settings/email-address.ts'
import type { SignInConfig } from '#server/config.ts'

export type Identity = { email: string; firstName: string; lastName: string; roles: StaffRole[] }

/** The person in the claims; a string is the reason why the portal rejects them. */
export function identityOf(claims: IDToken, settings: SignInConfig): Identity | string {
  const email = emailOf(claims)
  if (email === undefined) return 'The identity provider sent no email address that the portal can use.'
  const verified = claims.email_verified === true || (claims.email_verified === undefined && settings.trustEmail)
  if (!verified) return `The identity provider has not verified the email address ${email}.`
  const [first = '', ...rest] = text(claims.name).split(' ')
  return {
    email,
    firstName: text(claims.given_name) || first,
    lastName: text(claims.family_name) || rest.join(' '),
    roles: rolesOf(claims, settings),
  }
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
