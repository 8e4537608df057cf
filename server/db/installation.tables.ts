import type { Day } from '#server/db/column-types.ts'
import type { Tables } from '#server/db/tables.ts'

export type InstallationRows = {
  installation_secret: { name: string; secret: Buffer }
  demo_part: { name: string; loaded_at: Date; made_for: Day }
}

declare module '#server/db/schema.ts' {
  interface DB extends InstallationRows {}
}

export const installationTables: Tables<InstallationRows> = {
  owns: ['installation_secret', 'demo_part'],
}
