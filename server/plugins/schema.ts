import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ContactRole, StaffRole } from '#domain/access/roles.ts'
import type { OrgType } from '#domain/access/standing.ts'
import type { AlertCategory, AlertLink, AlertStatus } from '#domain/messages/alerts.ts'

/** The tables as the server sees them: dates and exact numbers arrive as text, instants as Date. */
type Day = string
type Numeric = ColumnType<string, string | number, string | number>
type Json<T> = ColumnType<T, string, string>

export type DB = {
  account: {
    customer_number: string
    name: string
    org_type: Generated<OrgType>
    export_control_status: Generated<string>
    is_access_disabled: Generated<boolean>
    support_email: Generated<string>
    time_zone: Generated<string>
    created_at: Generated<Date>
  }
  person: { email: string; first_name: Generated<string>; last_name: Generated<string>; last_sign_in_at: Date | null }
  staff_role: { email: string; role: StaffRole; granted_by: string; granted_at: Generated<Date> }
  contact: { customer_number: string; email: string; role: ContactRole; added_at: Generated<Date> }
  account_grant: {
    customer_number: string
    email: string
    kind: 'sales-access' | 'fnp-license-generator'
    granted_by: string
    granted_at: Generated<Date>
  }
  session: {
    id_hash: Buffer
    email: string
    claim_roles: Generated<string[]>
    created_at: Date
    last_seen_at: Date
    expires_at: Date
  }
  sign_in_attempt: {
    id_hash: Buffer
    state: string
    nonce: string
    verifier: string
    return_to: string
    expires_at: Date
  }
  audit_log: {
    id: GeneratedAlways<string>
    at: Date
    email: string
    address: string
    request_id: string
    action: string
    customer_number: string | null
    target: string | null
    before: Json<unknown> | null
    after: Json<unknown> | null
    outcome: 'done' | 'refused'
    reason: string | null
  }
  idempotent_answer: {
    email: string
    key: string
    operation: string
    body_hash: Buffer
    answer: Json<unknown> | null
    created_at: Date
  }
  installation_secret: { name: string; secret: Buffer }
  feature: { name: string; description: string; is_default: Generated<boolean>; position: number }
  feature_conflict: { name: string; other: string }
  person_feature: { email: string; name: string; is_enabled: boolean }
  table_preference: {
    email: string
    customer_number: string
    table_name: string
    preference: Json<Record<string, unknown>>
    saved_at: Date
  }
  product: {
    part_number: string
    name: string
    item_number: string
    daemon: string
    is_node_locked: Generated<boolean>
    feature_names: string[]
  }
  elastic_rate: { part_number: string; rate_table_version: string; units_per_hour: Numeric }
  fsa_price: { part_number: string; currency: string; days: number; price: Numeric }
  entitlement: {
    customer_number: string
    activation_id: string
    entitlement_id: string
    part_number: string
    product_name: string
    license_model: string
    type: Generated<string>
    subtype: Generated<string>
    state: Generated<'Deployed' | 'Draft' | 'Obsolete'>
    line_item_quantity: number
    units_per_line: ColumnType<string, string | number | undefined, string | number>
    start_date: Day
    end_date: Day | null
    version_date: Day | null
    is_permanent: Generated<boolean>
    is_borrowable: GeneratedAlways<boolean>
    po_number: Generated<string>
    order_id: Generated<string>
    currency: Generated<string>
    price: ColumnType<string | null, string | number | null | undefined, string | number | null>
    rate_table_version: Generated<string>
    fsa_id: string | null
    is_manual: Generated<boolean>
    requester_email: string | null
    ordered_at: Date | null
    created_at: Generated<Date>
    kind: GeneratedAlways<'ELASTIC' | 'FSA' | 'CONCURRENT' | 'SUBSCRIPTION' | 'SSL'>
  }
  alert: {
    id: Generated<string>
    category: AlertCategory
    status: Generated<AlertStatus>
    starts_at: Date
    expires_at: Date | null
    description: string
    services: string[]
    links: Json<AlertLink[]>
    revision: Generated<number>
    created_by: string
    created_at: Date
    changed_at: Date
  }
  demo_part: { name: string; loaded_at: Date; made_for: Day }
}
