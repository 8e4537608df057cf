import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { LimitPeriod, LimitSubject } from '#domain/elastic/limits/limit.ts'
import type { ProductRuleKind } from '#domain/elastic/limits/product-rules.ts'
import type { SessionRefusal } from '#domain/elastic/sessions/session-refusal.ts'
import type { MailedRecord, ReportKind, StatementKind } from '#domain/elastic/statements/mailed-statement.ts'
import type { Day, Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

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
  /** For one count of the product, by the rate table of the start; null when the last heartbeat is null. */
  units_per_hour: ColumnType<string | null, string | null | undefined>
}

export type ElasticRows = {
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
  elastic_ip_rule: {
    customer_number: string
    device_id: string
    position: number
    name: string
    address: string
    network: string
  }
  /** The owner of an elastic license server: portal-wide, claimed with the server. */
  device_owner: { device_id: string; customer_number: string }
  usage_transaction: UsageTransaction
  /** The partition of sessions that have not ended. */
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
  /** Kept like usage_day, as are the next two. */
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
  /** An insert makes the database compute the sums of the account again. */
  usage_rebuild: {
    customer_number: string
    rebuilt_at: Date
    rebuilt_by: string
  }
  /** Kept like usage_day, for the kinds of subjects in usage_limited. */
  usage_limited_day: {
    customer_number: GeneratedAlways<string>
    subject: GeneratedAlways<LimitSubject>
    user_key: GeneratedAlways<string>
    project: GeneratedAlways<string>
    product: GeneratedAlways<string>
    currency: GeneratedAlways<string>
    day: GeneratedAlways<Day>
    charge: GeneratedAlways<string>
  }
  /** An insert makes the database sum what subjects of the kind have used, a removal makes it forget that. */
  usage_limited: { customer_number: string; subject: LimitSubject }
  elastic_limit: {
    customer_number: string
    limit_id: string
    subject: LimitSubject
    /** Names are null for everybody else, and for parts that the subject does not have. */
    user_name: string | null
    user_key: GeneratedAlways<string | null>
    project: string | null
    product: string | null
    period: LimitPeriod
    currency: string
    warn_at: string | null
    refuse_at: string | null
    from_day: Day | null
    to_day: Day | null
    changed_at: Generated<Date>
  }
  elastic_product_rule: {
    customer_number: string
    /** Empty for everybody else, as is the name. */
    user_key: string
    user_name: string
    kind: ProductRuleKind
    products: string[]
  }
  /** Accounts that have limits: portal-wide. */
  limited_account: { customer_number: string }
  elastic_limit_told: {
    customer_number: string
    limit_id: string
    told: 'warned' | 'reached'
    user_key: string
    project: string
    product: string
    period_from: Day
    told_at: Date
  }
  usage_receipt: {
    customer_number: string
    id: string
  }
  /** Months whose transactions are in a file; once `detached_at` is set, only there. */
  usage_archive: {
    month: Day
    file: string
    sha256: string
    transactions: string
    charge: string
    hours: string
    archived_at: Date
    archived_by: string
    detached_at: Date | null
    detached_by: string | null
  }
  /** What the transactions of detached months add up to. Never updated. */
  archived_usage_sum: {
    customer_number: string
    /** The name of a table of sums, or `corrections`. */
    sums: string
    day: Day
    activation_id: string
    name: string
    currency: string
    month: Day
    charge: string
    hours: string
    transactions: number
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
    /** The limit that refused it, and its text at that time. */
    limit_id: string | null
    limit_text: string | null
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
    kind: StatementKind | ReportKind
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
}

declare module '#server/db/schema.ts' {
  interface DB extends ElasticRows {}
}

export const elasticTables: Tables<ElasticRows> = {
  owns: [
    'elastic_server',
    'elastic_pin',
    'elastic_username',
    'elastic_ip_rule',
    'device_owner',
    'usage_transaction',
    'usage_transaction_running',
    'usage_day',
    'usage_user_day',
    'usage_project_day',
    'usage_host_day',
    'usage_limited_day',
    'usage_limited',
    'elastic_limit',
    'elastic_product_rule',
    'limited_account',
    'elastic_limit_told',
    'usage_rebuild',
    'usage_receipt',
    'usage_archive',
    'archived_usage_sum',
    'elastic_denial',
    'pin_failure',
    'pin_guessing',
    'pin_address',
    'unknown_pin_failure',
    'unknown_pin_guessing',
    'mailed_statement',
    'mailed_record',
    'statement_schedule',
  ],
  reads: {
    account:
      'The start of a session checks account, product and balance in one statement. Scheduled statements are listed with the zone and the export status of their account.',
    product: 'See account.',
    elastic_rate: 'See account.',
    entitlement: 'The elastic screen lists entitlements with what is booked on them, in one statement.',
    usage_total: 'Sums per entitlement, which triggers keep with every transaction.',
    installation_secret: 'The start of a session checks everything about a server, its PIN included, in one statement.',
  },
}
