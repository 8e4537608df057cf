import type { ColumnType } from 'kysely'
import type { OptionsInstall } from '#contract/options-files/options-files.ts'
import type { Day } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

type FileKey = { customer_number: string; host_id: string; daemon: string }

export type OptionsFilesRows = {
  options_file: FileKey & { version: number; edition: number }
  options_file_version: FileKey & {
    version: number
    text: string
    restored_from: number | null
    saved_by: string
    saved_at: Date
  }
  options_reservation: FileKey & {
    reservation_id: string
    feature: string
    group_name: string
    seats: number
    first_day: Day
    last_day: Day
    weekdays: number[]
    saved_by: string
    saved_at: Date
    revision: ColumnType<number, number | undefined, number>
  }
  options_install: FileKey & {
    machine: string
    version: number
    day: Day
    sha256: string
    outcome: OptionsInstall['outcome']
    message: string | null
    reported_at: Date
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends OptionsFilesRows {}
}

export const optionsFilesTables: Tables<OptionsFilesRows> = {
  owns: ['options_file', 'options_file_version', 'options_reservation', 'options_install'],
  reads: {},
}
