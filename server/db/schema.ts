import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { RecordKindName } from '#contract/data/kinds.ts'
import type { WireOrderLine } from '#contract/fsa/order-entitlements.ts'
import type { OperationName } from '#contract/operations.ts'
import type { AccountGrant, ContactRole, StaffRole } from '#domain/access/roles.ts'
import type { OrgType } from '#domain/access/standing.ts'
import type { LicenseFileReason } from '#domain/activations/license-files/out-of-date.ts'
import type { PlanAction, PlanRequest, PlanState } from '#domain/activations/plans/host-plan.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import type { MailedRecord, StatementKind } from '#domain/elastic/statements/mailed-statement.ts'
import type { FulfillmentAction, HostIdType } from '#domain/entitlements/fulfillment.ts'
import type { EntitlementKind } from '#domain/entitlements/kind.ts'
import type { AlertCategory, AlertLink, AlertStatus } from '#domain/messages/alerts.ts'
import type { Reminders } from '#domain/reminders/reminders.ts'
import type { TaskFailure, TaskState } from '#domain/tasks/task.ts'
import type { CheckoutRefusal } from '#domain/web-licenses/checkout.ts'
import type { WebLicenseKind } from '#domain/web-licenses/web-license.ts'

/** Who started a plan, and from where: its steps are audited as that call. */
export type PlanOrigin = {
  readonly email: string
  readonly principal: 'session' | 'service key' | 'operator' | null
  readonly address: string
  readonly requestId: string
  /** The operation that was called. */
  readonly operation: OperationName
}

/** The tables as the server sees them: dates and exact numbers arrive as text, instants as Date. */
type Day = string
type Numeric = ColumnType<string, string | number, string | number>
type Json<T> = ColumnType<T, string, string>

type UsageTransaction = {
  customer_number: string
  transaction_number: Generated<string>
  server_id: string
  session_id: string
  session_status: string
  started_at: Date
  /** Infinity while the session is running. */
  ends_at: ColumnType<Date | number, Date | 'infinity' | undefined, Date>
  product: string
  product_line: Generated<string>
  product_version: Generated<string>
  product_count: number
  feature: Generated<string>
  feature_number: Generated<string>
  feature_count: number
  user_name: string
  host: string
  process_id: number | null
  project: string | null
  cloud_job_id: string | null
  internal_ip: string | null
  external_ip: string | null
  consumer_id: Generated<string>
  acquisition: Generated<string>
  rate_table_version: Generated<string>
  activation_id: string | null
  charge: ColumnType<string | null, string | null | undefined, string>
  currency: string
  corrects: ColumnType<string | null, string | null | undefined, never>
  corrected_session_id: ColumnType<string | null, string | null | undefined, never>
  arrived_at: Generated<Date>
  /** A further part of a charge that was split. The first part has the hours of the session. */
  continues: Generated<boolean>
  hours: GeneratedAlways<string | null>
  /** Only while the session is running, and only if it was started here. */
  last_heartbeat_at: ColumnType<Date | null, Date | null | undefined>
  /** Of one count of the product, by the rate table of the start; missing as the last heartbeat is. */
  units_per_hour: ColumnType<string | null, string | null | undefined>
}

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
    changed_at: Generated<Date>
  }
  person: { email: string; first_name: Generated<string>; last_name: Generated<string>; last_sign_in_at: Date | null }
  staff_role: {
    email: string
    role: StaffRole
    granted_by: string
    granted_at: Generated<Date>
    changed_at: Generated<Date>
  }
  contact: {
    customer_number: string
    email: string
    role: ContactRole
    added_at: Generated<Date>
    changed_at: Generated<Date>
  }
  recent_account: { customer_number: string; email: string; opened_at: Date }
  account_grant: {
    customer_number: string
    email: string
    kind: AccountGrant
    granted_by: string
    granted_at: Generated<Date>
    changed_at: Generated<Date>
  }
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
  session: {
    id_hash: Buffer
    email: string
    claim_roles: Generated<string[]>
    claim_roles_checked_at: Generated<Date | null>
    claim_roles_asking_until: Generated<Date | null>
    claim_roles_ask_again_at: Generated<Date | null>
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
    expires_at: Date
  }
  audit_log: {
    id: GeneratedAlways<string>
    at: Date
    email: string
    address: string
    request_id: string
    principal: 'session' | 'service key' | 'operator' | null
    action: string
    /** Empty for what concerns no account. */
    customer_number: Generated<string>
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
  mail_brake: { person: string; kind: string; recipient: string; sent_at: Date[]; latest_at: Date }
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
    changed_at: Generated<Date>
    license_changes: Generated<number>
  }
  elastic_rate: {
    part_number: string
    rate_table_version: string
    units_per_hour: Numeric
    changed_at: Generated<Date>
  }
  fsa_price: { part_number: string; currency: string; days: number; price: Numeric; changed_at: Generated<Date> }
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
    activated_count: GeneratedAlways<number>
    units_per_line: ColumnType<string, string | number | undefined, string | number>
    start_date: Day
    end_date: Day | null
    ends_on: GeneratedAlways<Day>
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
    kind: GeneratedAlways<EntitlementKind>
    changed_at: Generated<Date>
    /** How often something changed that license files are made from; the database counts. */
    license_changes: Generated<number>
  }
  /** The database keeps all but the addresses with every change of the contract's entitlements. */
  fsa_contract: {
    customer_number: GeneratedAlways<string>
    fsa_id: GeneratedAlways<string>
    activation_id: GeneratedAlways<string>
    currency: GeneratedAlways<string>
    price: GeneratedAlways<string>
    ordered: GeneratedAlways<string>
    business_operations_emails: string[]
  }
  fsa_draft: {
    customer_number: string
    draft_id: Generated<string>
    fsa_id: string
    name: string
    lines: Json<WireOrderLine[]>
    revision: Generated<number>
    saved_by: string
    saved_at: Date
  }
  /** Whose an activation id is: portal-wide, claimed with the entitlement. */
  activation_owner: { activation_id: string; customer_number: string }
  host: {
    customer_number: string
    host_id_type: HostIdType
    host_id: string
    host_name: string
    port: Generated<number>
    is_borrowable: Generated<boolean>
    /** The id with the ids of a triad in a fixed order. */
    machine_id: GeneratedAlways<string>
    added_at: Date
    removed_at: Date | null
    changed_at: Generated<Date>
  }
  host_plan: {
    customer_number: string
    plan_id: Generated<string>
    action: PlanAction
    state: Generated<PlanState>
    request: Json<PlanRequest>
    requested_by: string
    requested_at: Date
    requested_from: Json<PlanOrigin>
    finished_at: Date | null
    failure_code: string | null
    failure: string | null
  }
  host_plan_step: {
    customer_number: string
    plan_id: string
    position: number
    step: Json<PlanStep>
    done_at: Date | null
  }
  reserved_seats: { customer_number: string; activation_id: string; plan_id: string; seats: number }
  busy_host: { customer_number: string; host_id_type: HostIdType; machine_id: string; plan_id: string }
  shared_server_member: {
    customer_number: string
    host_id_type: HostIdType
    machine_id: string
    group_id: string
    added_at: Date
    added_by: string
  }
  signing_key: {
    key_id: string
    public_key: Buffer
    sealed_private_key: Buffer
    created_at: Date
    created_by: string
    retired_at: ColumnType<Date | null, undefined, Date>
  }
  /** Append-only. */
  license_file: {
    customer_number: string
    file_id: Generated<string>
    position: GeneratedAlways<string>
    host_id_type: HostIdType
    host_id: string
    generated_at: Date
    generated_by: string
    reason: LicenseFileReason
    issued_on: Day
    own_text: string
    shared_text: string | null
    customers: string[]
    made_from: string
    first_end: Day | null
    key_id: string
  }
  /** Append-only; the database keeps `activated_count` and `host_seats` with every row. */
  fulfillment: {
    customer_number: string
    fulfillment_id: Generated<string>
    parent_fulfillment_id: ColumnType<string | null, string | null | undefined, never>
    activation_id: string
    host_id_type: HostIdType
    host_id: string
    fulfill_count: number
    action: Generated<FulfillmentAction>
    modified_by: Generated<string>
    fulfilled_at: Date
  }
  host_seats: {
    customer_number: GeneratedAlways<string>
    activation_id: GeneratedAlways<string>
    host_id_type: GeneratedAlways<HostIdType>
    host_id: GeneratedAlways<string>
    seats: GeneratedAlways<number>
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
  elastic_server: {
    customer_number: string
    device_id: string
    alias: string
    created_at: Generated<Date>
    usage_arrived_at: Generated<Date | null>
    changed_at: Generated<Date>
  }
  elastic_pin: { customer_number: string; device_id: string; sealed_pin: Buffer; saved_by: string; saved_at: Date }
  elastic_username: {
    customer_number: string
    device_id: string
    position: number
    username: string
    username_key: GeneratedAlways<string>
  }
  reminder_settings: { customer_number: string; settings: Json<Reminders>; saved_by: string; saved_at: Date }
  reminder_sent: { customer_number: string; key: string; told: string | null; sent_at: Date }
  calendar_feed: {
    customer_number: string
    id: string
    name: string
    secret_hash: Buffer
    created_by: string
    created_at: Date
    used_at: ColumnType<Date | null, Date | null | undefined, Date>
    revoked_at: ColumnType<Date | null, Date | null | undefined, Date>
  }
  elastic_ip_rule: {
    customer_number: string
    device_id: string
    position: number
    name: string
    address: string
    network: string
  }
  /** Whose an elastic license server is: portal-wide, claimed with the server. */
  device_owner: { device_id: string; customer_number: string }
  usage_transaction: UsageTransaction
  /** The part of it whose sessions have not ended. */
  usage_transaction_running: UsageTransaction
  /** Kept by the database with every change of usage_transaction; nothing else writes it. */
  usage_day: {
    customer_number: GeneratedAlways<string>
    activation_id: GeneratedAlways<string>
    day: GeneratedAlways<Day>
    product: GeneratedAlways<string>
    currency: GeneratedAlways<string>
    charge: GeneratedAlways<string>
    hours: GeneratedAlways<string>
    transactions: GeneratedAlways<number>
  }
  /** Kept like usage_day, as are the next three. */
  usage_user_day: {
    customer_number: GeneratedAlways<string>
    day: GeneratedAlways<Day>
    activation_id: GeneratedAlways<string>
    user_name: GeneratedAlways<string>
    currency: GeneratedAlways<string>
    charge: GeneratedAlways<string>
    hours: GeneratedAlways<string>
    transactions: GeneratedAlways<number>
  }
  usage_project_day: {
    customer_number: GeneratedAlways<string>
    day: GeneratedAlways<Day>
    activation_id: GeneratedAlways<string>
    /** Empty where the usage names no project. */
    project: GeneratedAlways<string>
    currency: GeneratedAlways<string>
    charge: GeneratedAlways<string>
    hours: GeneratedAlways<string>
    transactions: GeneratedAlways<number>
  }
  usage_host_day: {
    customer_number: GeneratedAlways<string>
    day: GeneratedAlways<Day>
    activation_id: GeneratedAlways<string>
    host: GeneratedAlways<string>
    currency: GeneratedAlways<string>
    charge: GeneratedAlways<string>
    hours: GeneratedAlways<string>
    transactions: GeneratedAlways<number>
  }
  usage_total: {
    customer_number: GeneratedAlways<string>
    activation_id: GeneratedAlways<string>
    charge: GeneratedAlways<string>
    hours: GeneratedAlways<string>
    transactions: GeneratedAlways<string>
  }
  /** An insert has the sums of the account made anew. */
  usage_rebuild: {
    customer_number: string
    rebuilt_at: Date
    rebuilt_by: string
  }
  usage_receipt: {
    customer_number: string
    id: string
  }
  elastic_denial: {
    customer_number: string
    id: GeneratedAlways<string>
    denied_at: Date
    reason: SessionRefusal
    server_id: string
    product: string
    product_count: number
    user_name: string
    host: string
    project: string | null
    product_version: Generated<string>
    external_ip: string
  }
  pin_failure: {
    customer_number: string
    server_id: string
    external_ip: string
    failures: number
    failed_at: Date
  }
  pin_guessing: {
    customer_number: string
    server_id: string
    since: Date
    failures: number
    tried_at: Generated<Date>
  }
  pin_address: {
    customer_number: string
    server_id: string
    external_ip: string
    right_at: Date
  }
  unknown_pin_failure: {
    server_id: string
    external_ip: string
    failures: number
    failed_at: Date
  }
  unknown_pin_guessing: {
    server_id: string
    since: Date
    failures: number
    tried_at: Generated<Date>
    refused: Generated<number>
  }
  /** Frozen: never updated or deleted, as is mailed_record. */
  mailed_statement: {
    customer_number: string
    id: Generated<string>
    kind: StatementKind
    period_from: Day
    period_to: Day
    /** Empty for a statement of the whole account. */
    activation_id: string
    mailed_at: Date
    mailed_by: string
    file_name: string
    pdf: Buffer
  }
  mailed_record: {
    customer_number: string
    activation_id: string
    kind: StatementKind
    period_to: Day
    total: string
    used: string
    record: Json<MailedRecord> | null
  }
  statement_schedule: {
    customer_number: string
    /** The last day that was handled; null while weekly statements are off. */
    weekly_through: Day | null
    monthly_through: Day | null
    recipients: string[]
    saved_by: string
    saved_at: Date
  }
  web_user: {
    customer_number: string
    email: string
    name: Generated<string>
    added_at: Date
    added_by: string
  }
  web_group: {
    customer_number: string
    group_id: Generated<string>
    name: string
    name_key: string
    created_at: Date
    created_by: string
  }
  web_group_member: { customer_number: string; group_id: string; email: string }
  web_user_assignment: {
    customer_number: string
    activation_id: string
    email: string
    assigned_at: Date
    assigned_by: string
  }
  web_group_assignment: {
    customer_number: string
    activation_id: string
    group_id: string
    assigned_at: Date
    assigned_by: string
  }
  web_seat: { customer_number: string; activation_id: string; email: string; since: Date }
  web_checkout: {
    customer_number: string
    checkout_number: GeneratedAlways<string>
    checkout_id: string
    activation_id: string
    product: string
    kind: WebLicenseKind
    email: string
    host: string
    product_version: Generated<string>
    external_ip: string | null
    status: Generated<'Active' | 'Completed' | 'Timed out' | 'Revoked'>
    started_at: Date
    last_heartbeat_at: Date
    ends_at: ColumnType<Date | number, Date | 'infinity' | undefined, Date>
    hours: GeneratedAlways<string | null>
  }
  web_denial: {
    customer_number: string
    id: GeneratedAlways<string>
    denied_at: Date
    reason: CheckoutRefusal
    product: string
    email: string
    host: string
    product_version: Generated<string>
    external_ip: string | null
  }
  web_license_use: {
    customer_number: string
    activation_id: string
    seats: Generated<number>
    running: Generated<number>
  }
  background_task: {
    customer_number: string
    id: Generated<string>
    kind: string
    requested_by: string
    request: Json<object>
    file_name: string
    state: Generated<TaskState>
    total: number | null
    done: Generated<number>
    bytes: Generated<string>
    requested_at: Date
    finished_at: Date | null
    kept_until: Date | null
    request_key: Buffer | null
    as_of: string | null
    failure: TaskFailure | null
    downloaded_at: Date | null
    attempt: Generated<number>
  }
  task_piece: {
    customer_number: string
    task_id: string
    attempt: number
    number: number
    bytes: Buffer
  }
  mail: {
    customer_number: string
    id: Generated<string>
    queued_at: Date
    message_id: string
    recipients: string[]
    copies: Generated<string[]>
    subject: string
    body_html: string
    body_text: string
    state: Generated<'queued' | 'sent' | 'mailbox' | 'failed'>
    attempts: Generated<number>
    delivered_at: Date | null
    trouble: Generated<string>
    deleted_at: Date | null
    deleted_by: string | null
  }
  mail_attachment: {
    customer_number: string
    mail_id: string
    position: number
    name: string
    media_type: string
    content: Buffer
  }
  outbox_message: {
    id: string
    lane: string
    payload: Json<object>
    state: Generated<'queued' | 'failed'>
    attempts: Generated<number>
    next_attempt_at: Date | null
    queued_at: Date
    resent_at: Date | null
    trouble: Generated<string>
  }
  removed_record: { customer_number: string; kind: RecordKindName; id: string; removed_at: Date }
  demo_part: { name: string; loaded_at: Date; made_for: Day }
}
