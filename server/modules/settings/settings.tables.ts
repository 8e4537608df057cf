import type { Generated } from 'kysely'
import type { Static } from 'typebox'
import type { SavedView } from '#contract/settings/preferences.ts'
import type { Json } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type SettingsRows = {
  feature: { name: string; description: string; is_default: Generated<boolean>; position: number }
  feature_conflict: { name: string; other: string }
  person_feature: { email: string; name: string; is_enabled: boolean }
  person_view: {
    email: string
    view_id: string
    table_name: string
    name: string
    view: Json<Static<typeof SavedView>>
    saved_at: Date
  }
  table_preference: {
    email: string
    customer_number: string
    table_name: string
    preference: Json<Record<string, unknown>>
    saved_at: Date
  }
  table_view: {
    customer_number: string
    view_id: string
    email: string
    table_name: string
    name: string
    is_shared: boolean
    view: Json<Static<typeof SavedView>>
    saved_at: Date
  }
}

declare module '#server/db/schema.ts' {
  interface DB extends SettingsRows {}
}

export const settingsTables: Tables<SettingsRows> = {
  owns: ['feature', 'feature_conflict', 'person_feature', 'person_view', 'table_preference', 'table_view'],
  reads: { account: 'Saved views of accounts that export compliance has closed are left out.' },
}
