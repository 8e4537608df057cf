import { Type } from 'typebox'
import { instant } from '#contract/data/fields.ts'
import { RECORD_KINDS } from '#contract/data/kinds.ts'
import type { RecordKind } from '#contract/data/record-kind.ts'
import { pageFields, pageQuery } from '#contract/data/record-pages.ts'
import { operation } from '#contract/kit/operation.ts'
import { exactly } from '#contract/kit/schema.ts'

/** Removals are kept for at least this time. */
export const REMOVALS_KEPT_DAYS = 400

/** What was removed of one kind. */
export function listRemoved<Name extends string>(kind: RecordKind<Name>) {
  return operation({
    access: { kind: 'service', scope: kind.scope },
    token: null,
    name: `service/${kind.name}/removed` as const,
    method: 'GET',
    path: `/service/v1/removed/${kind.name}`,
    summary: `Lists the ids ${kind.key.join(':')} of records that were removed, through whatever door, in the order of their removal. ${kind.summary}. A record that was created again since is left out. Removals are kept for ${REMOVALS_KEPT_DAYS} days; an instant before that, or before this database noted removals, is refused: TOO_LONG_AGO.`,
    writes: false,
    query: exactly({
      removedSince: instant({
        description:
          'Only what was removed at this instant or later. Send `until` of the previous answer to this call to miss nothing. A removal can come twice.',
        examples: ['2026-10-10T08:00:00.000Z'],
      }),
      ...pageQuery,
    }),
    data: Type.Array(
      Type.Object({
        id: Type.String({
          description: `${kind.key.join(':')} of the record`,
          examples: [kind.keyOf(kind.example as object)],
        }),
        customerNumber: Type.String({
          description: 'The account that it belonged to; empty if it belonged to none',
          examples: ['900001'],
        }),
        removedAt: Type.String({
          format: 'date-time',
          description: 'When it was removed; the last time, if several',
          examples: ['2026-10-10T08:00:00.000Z'],
        }),
      }),
    ),
    extraFields: pageFields('removedSince'),
  })
}

/** Records of the other kinds are never removed: they change when they are revoked. */
export const REMOVED_OPERATIONS = RECORD_KINDS.filter(({ canBeRemoved }) => canBeRemoved).map((kind) =>
  listRemoved(kind),
)
