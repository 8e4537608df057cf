import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Tables } from '#server/db/tables.ts'

export type HomeRows = {
  hidden_matter: {
    customer_number: string
    email: string
    key: string
    until: CalendarDay | null
    count: number
    hidden_at: Date
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends HomeRows {}
}

export const homeTables: Tables<HomeRows> = { owns: ['hidden_matter'] }
