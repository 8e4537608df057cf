import type { ColumnType } from 'kysely'

/** Dates and exact numbers arrive as text, instants as Date. */
export type Day = string
export type Numeric = ColumnType<string, string | number, string | number>
export type Json<T> = ColumnType<T, string, string>
