import type { ColumnType, Generated } from 'kysely'
import type { DenialCause } from '#domain/license-use/logs/denial-cause.ts'
import type { LogReaderState } from '#domain/license-use/logs/log-reader.ts'
import type { Priority, WaitingState } from '#domain/license-use/waiting/waiting-line.ts'
import type { Day, Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

/** A time on the clock of the license server: `2026-03-09 10:00:00`. Statements read it as text. */
type LocalTimestamp = ColumnType<string, string, string>
/** Empty at first. */
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>
type OptionalTimestamp = ColumnType<string | null, string | null | undefined, string | null>

export type LicenseUseRows = {
  license_use_settings: {
    customer_number: string
    has_pseudonyms: Generated<boolean>
    pseudonym_secret: Buffer
    kept_days: Generated<number>
    offer_minutes: Generated<number>
    ask_hours: Generated<number>
    saved_by: string
    saved_at: Date
  }
  license_report: {
    customer_number: string
    host_id: string
    reported_at: Date
    log_at: OptionalTimestamp
    status_at: OptionalTimestamp
    status_error: string | null
    unsummed_from: OptionalTimestamp
    unsummed_to: OptionalTimestamp
    removed_before: OptionalTimestamp
    status_unread_lines: Generated<number>
    status_problems: Generated<Json<{ line: number; code: string }[]>>
  }
  license_log: {
    customer_number: string
    host_id: string
    number: number
    name: string
    position: ColumnType<string, number | undefined, number>
    head_hash: Buffer
    head_length: number
    tail_hash: Buffer
    tail_length: number
    state: Json<Partial<LogReaderState>>
    rest: Buffer
    first_at: OptionalTimestamp
    last_at: OptionalTimestamp
    lines: ColumnType<string, number | undefined, number>
    unread_lines: ColumnType<string, number | undefined, number>
  }
  license_log_part: {
    customer_number: string
    host_id: string
    name: string
    position: ColumnType<string, number, number>
    end_position: ColumnType<string, number, number>
    hash: Buffer
    content: Buffer | null
    arrived_at: Date
  }
  license_log_problem: { customer_number: string; host_id: string; number: number; line: string; code: string }
  license_lifecycle: {
    customer_number: string
    host_id: string
    number: number
    at: LocalTimestamp
    event: string
    daemon: string
  }
  license_checkout: {
    customer_number: string
    host_id: string
    number: number
    id: string
    daemon: string
    feature: string
    user_name: string
    user_host: string
    data: string | null
    seats: number
    out_at: LocalTimestamp
    in_at: LocalTimestamp
    in_id: string | null
    closed_by: string | null
    is_start_known: boolean
    is_open_in_log: boolean
    is_joined: boolean
    is_repeated: Generated<boolean>
    gone_at: OptionalTimestamp
  }
  license_denial: {
    customer_number: string
    host_id: string
    number: number
    id: string
    at: LocalTimestamp
    event: 'DENIED' | 'UNSUPPORTED'
    daemon: string
    feature: string
    user_name: string
    user_host: string
    seats: number
    version: string | null
    code: number | null
    reason: string | null
    cause: DenialCause
    is_retry: boolean
    is_granted: boolean
    is_real: boolean
    is_repeated: Generated<boolean>
  }
  license_use_hour: {
    customer_number: string
    host_id: string
    feature: string
    hour: LocalTimestamp
    peak: number
    seat_seconds: string
    seconds_at_limit: number
    seat_limit: number | null
    checkouts: number
    denials: number
    real_denials: number
  }
  license_use_day: {
    customer_number: string
    host_id: string
    feature: string
    day: Day
    user_name: string
    user_host: string
    seat_seconds: string
    checkouts: number
    real_denials: number
  }
  license_upload_part: {
    customer_number: string
    upload_id: string
    position: ColumnType<string, number, number>
    length: number
    content: Buffer
    arrived_at: Date
  }
  license_feature: {
    customer_number: string
    host_id: string
    feature: string
    state: 'counted' | 'uncounted' | 'unsupported' | 'error'
    seat_limit: number | null
    in_use: number | null
    reserved: number
    queued: number
    expires: string | null
    status_at: LocalTimestamp
  }
  license_holder: {
    customer_number: string
    host_id: string
    feature: string
    position: number
    kind: 'in use' | 'borrowed' | 'queued'
    user_name: string
    user_host: string
    display: string
    version: string
    seats: number
    started_at: string | null
    is_uncertain: boolean
  }
  license_sample: {
    customer_number: string
    host_id: string
    hour: LocalTimestamp
    /** Of each minute with an lmstat output: seats in use and the limit of each feature in use. */
    polls: Json<Record<string, Record<string, [inUse: number, limit: number | null]>>>
  }
  license_seen_checkout: {
    customer_number: string
    host_id: string
    feature: string
    started_at: LocalTimestamp
    user_name: string
    user_host: string
    handle: string
    seats: number
    last_seen_at: LocalTimestamp
  }
  license_wait: {
    customer_number: string
    wait_id: string
    feature: string
    host_id: string | null
    seats: number
    email: string
    is_mailed: boolean
    user_name: string
    priority: Generated<Priority>
    number: ColumnType<string, number, never>
    joined_at: Date
    until: Date
    state: WaitingState
    held_before: Json<Record<string, number>>
    offered_host: Later<string>
    offered_at: Later<Date>
    offer_ends_at: Later<Date>
    closed_at: Later<Date>
  }
  license_holder_ask: { customer_number: string; user_name: string; asked_on: Day; asked_by: string }
}

declare module '#server/db/schema.ts' {
  interface DB extends LicenseUseRows {}
}

export const licenseUseTables: Tables<LicenseUseRows> = {
  owns: [
    'license_use_settings',
    'license_report',
    'license_log',
    'license_log_part',
    'license_log_problem',
    'license_lifecycle',
    'license_checkout',
    'license_denial',
    'license_use_hour',
    'license_use_day',
    'license_feature',
    'license_holder',
    'license_sample',
    'license_seen_checkout',
    'license_upload_part',
    'license_wait',
    'license_holder_ask',
  ],
  reads: {
    account: 'Reports that are being stored refer to it, so locking it waits for them.',
    host: 'Reports are shown under the name of their license server, also of one that never reported.',
    fulfillment: 'Whether a license server has more seats than at a shortage.',
    host_seats: 'Seats in the license file of a license server, beside those that it reports.',
    license_file: 'When the file was generated that feeds a feature.',
    entitlement: 'Which entitlement feeds a feature.',
    product: 'Which features a product has.',
  },
}
