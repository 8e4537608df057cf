import type { Generated } from 'kysely'
import type { CheckOutcome } from '#domain/sign-in-providers/domain-proof.ts'
import type { GroupRule } from '#domain/sign-in-providers/group-access.ts'
import type { ClientAuth, Mode } from '#domain/sign-in-providers/provider.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

/** The last test of a provider. */
export type KeptTest = {
  readonly at: string
  readonly by: string
  readonly version: number
  readonly email: string | null
  readonly role: string | null
  readonly reason: string | null
}

export type SignInProvidersRows = {
  sign_in_provider: {
    customer_number: string
    issuer: string
    client_id: string
    client_auth: ClientAuth
    client_secret: Buffer | null
    private_key: Buffer | null
    public_key: string | null
    group_claim: string
    rules: Json<readonly GroupRule[]>
    mode: Generated<Mode>
    break_glass: string | null
    revision: Generated<number>
    version: Generated<number>
    tested_version: Generated<number | null>
    test: Json<KeptTest> | null
  }
  sign_in_domain: {
    customer_number: string
    domain: string
    token: string
    added_by: string
    added_at: Date
    proven_at: Date | null
    checked_at: Date | null
    outcome: CheckOutcome | null
    failures: Generated<number>
    failing_since: Date | null
  }
  sign_in_given: {
    customer_number: string
    email: string
    role: string | null
    web_group_ids: string[]
    given_at: Date
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends SignInProvidersRows {}
}

export const signInProvidersTables: Tables<SignInProvidersRows> = {
  owns: ['sign_in_provider', 'sign_in_domain', 'sign_in_given'],
}
