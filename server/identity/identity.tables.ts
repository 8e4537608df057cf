import type { Generated } from 'kysely'
import type { Tables } from '#server/db/tables.ts'

export type IdentityRows = {
  session: {
    id_hash: Buffer
    email: string
    claim_roles: Generated<string[]>
    claim_roles_checked_at: Generated<Date | null>
    claim_roles_asking_until: Generated<Date | null>
    claim_roles_ask_again_at: Generated<Date | null>
    authenticated_at: Generated<Date | null>
    viewing_as: Generated<string | null>
    viewing_on: Generated<string | null>
    account_provider: Generated<string | null>
    created_at: Date
    last_seen_at: Date
    expires_at: Date
  }
  session_token: {
    id_hash: Buffer
    subject: string
    id_token: Buffer
    refresh_token: Buffer | null
  }
  sign_in_attempt: {
    id_hash: Buffer
    state: string
    nonce: string
    verifier: string
    return_to: string
    max_age: Generated<number | null>
    account_provider: Generated<string | null>
    login_hint: Generated<string | null>
    tested_by: Generated<string | null>
    tested_version: Generated<number | null>
    expires_at: Date
  }
  proven_domain: {
    domain: string
    customer_number: string
    is_on: boolean
    is_enforced: boolean
    break_glass: string | null
  }
  person: { email: string; first_name: Generated<string>; last_name: Generated<string>; last_sign_in_at: Date | null }
  service_key: {
    id: string
    name: string
    scopes: string[]
    secret_hash: Buffer
    created_at: Date
    created_by: string
    expires_at: Date
    last_used_at: Date | null
    revoked_at: Date | null
  }
  api_token: {
    customer_number: string
    id: string
    secret_hash: Buffer
    name: string
    owner: string
    scopes: string[]
    addresses: string[]
    created_at: Date
    expires_at: Date
    last_used_at: Generated<Date | null>
    last_address: Generated<string | null>
    revoked_at: Generated<Date | null>
    replaced_by: Generated<string | null>
    warned_days: Generated<number | null>
  }
  api_token_policy: { customer_number: string; longest_days: number; is_write_allowed: boolean }
}

declare module '#server/db/schema.ts' {
  interface DB extends IdentityRows {}
}

export const identityTables: Tables<IdentityRows> = {
  owns: [
    'session',
    'session_token',
    'sign_in_attempt',
    'proven_domain',
    'person',
    'service_key',
    'api_token',
    'api_token_policy',
  ],
  reads: {
    account: 'Session, person and standing on the accounts are loaded in one statement before every call.',
    contact: 'See account.',
    account_grant: 'See account.',
    entitlement: 'See account: what an account holds decides what can be done on it.',
    staff_role: 'See account.',
  },
}
