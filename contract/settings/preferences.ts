import { type Static, Type } from 'typebox'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'
import { TABLE_NAMES, type TableName } from '#contract/settings/table-names.ts'
import { act } from '#domain/audit/words.ts'

const columnId = Type.String({ minLength: 1, maxLength: 100 })

/** How a person has set up a table: only what differs from how it is at first. */
const savedView = {
  filterModel: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 100 })),
  sortModel: Type.Optional(
    Type.Array(
      exactly({
        colId: columnId,
        sort: Type.Union([Type.Literal('asc'), Type.Literal('desc')]),
        sortIndex: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()])),
      }),
      { maxItems: 20 },
    ),
  ),
  columnOrder: Type.Optional(Type.Array(columnId, { maxItems: 100 })),
  hiddenColumns: Type.Optional(Type.Array(columnId, { maxItems: 100 })),
  columnWidths: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Number({ minimum: 10, maximum: 5000 }), { maxProperties: 100 }),
  ),
  startDate: Type.Optional(Type.String({ maxLength: 40 })),
  endDate: Type.Optional(Type.String({ maxLength: 40 })),
  dateRange: Type.Optional(Type.String({ maxLength: 40 })),
  activeOnly: Type.Optional(Type.Boolean()),
}
export const SavedView = exactly(savedView)

// A schema could refuse an unknown name, but could not name it in the answer: the server checks it.
export const TableNameField = Type.Unsafe<TableName>(
  Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
    description: `One of ${TABLE_NAMES.join(', ')}`,
    examples: ['elasticTransaction'],
  }),
)

/** A saved view of one table. An empty one (no model at all) is what Reset View leaves. */
export const TablePreference = exactly({
  customerNumber: CustomerNumber,
  tableName: TableNameField,
  defaultView: Type.Optional(
    Type.String({ format: 'uuid', description: 'The named view with which the table opens instead of this one' }),
  ),
  ...savedView,
})
export type TablePreference = Static<typeof TablePreference>

export const getPreferences = operation({
  name: 'getPreferences',
  summary: 'Saved table views of the signed-in person',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  takesTurns: false,
  data: Type.Array(TablePreference),
})

export const savePreferences = operation({
  name: 'savePreferences',
  summary: 'Save table views',
  access: { kind: 'accounts', action: 'account.read', customerNumbersIn: 'tables[].customerNumber' },
  token: null,
  writes: true,
  audit: act('Saved the columns and filters', 'save columns and filters'),
  background: true,
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({ tables: Type.Array(TablePreference, { minItems: 1, maxItems: 100 }) }),
  data: Type.Null(),
})
