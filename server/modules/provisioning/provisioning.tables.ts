import type { Generated, GeneratedAlways } from 'kysely'
import type { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import type { KeptAttributes } from '#domain/provisioning/scim-user.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type ProvisioningRows = {
  scim_user: {
    customer_number: string
    user_id: Generated<string>
    user_name: string
    user_name_key: string
    external_id: string | null
    display_name: string | null
    email: string | null
    is_active: boolean
    department: string | null
    cost_center: string | null
    attributes: Json<KeptAttributes>
    created_at: Date
    changed_at: Date
    revision: Generated<number>
  }
  scim_group: {
    customer_number: string
    group_id: Generated<string>
    display_name: string
    external_id: string | null
    created_at: Date
    changed_at: Date
    revision: Generated<number>
  }
  scim_member: { customer_number: string; group_id: string; user_id: string }
  scim_mapping: {
    customer_number: string
    group_id: string
    role: typeof ADMINISTRATOR | typeof VIEWER | null
    web_group_id: string | null
    saved_by: string
    saved_at: Date
  }
  scim_given: {
    customer_number: string
    email: string
    kind: 'role' | 'web-group'
    target: string
    given_at: Date
  }
  scim_call: {
    customer_number: string
    call_number: GeneratedAlways<string>
    called_at: Date
    token_id: string
    token_name: string
    method: string
    path: string
    status: number
    milliseconds: number
    request_body: string | null
    answer_body: string | null
    is_cut: boolean
    replay_of: string | null
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends ProvisioningRows {}
}

export const provisioningTables: Tables<ProvisioningRows> = {
  owns: ['scim_user', 'scim_group', 'scim_member', 'scim_mapping', 'scim_given', 'scim_call'],
  reads: {
    contact: 'What people get is compared with what they have, in one statement.',
    web_user: 'See contact.',
    web_group_member: 'See contact.',
    web_group: 'The screen names the web groups that groups give.',
  },
}
