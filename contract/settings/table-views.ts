import { type Static, Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { SavedView, TableNameField } from '#contract/settings/preferences.ts'
import { viewWords } from '#domain/settings/audit-words.ts'
import { MAX_VIEW_NAME } from '#domain/settings/table-views.ts'

const id = Type.String({ format: 'uuid' })
const name = PlainLine(MAX_VIEW_NAME, { isRequired: true })

/** A view of a table that was saved under a name. */
const NamedView = Type.Object({
  id,
  name: Type.String(),
  owner: Type.String({ description: 'Email of the person who saved it' }),
  isOwn: Type.Boolean({ description: 'It is a view of the caller, who alone can change it' }),
  isShared: Type.Boolean({ description: 'Everybody who sees the account sees it' }),
  view: SavedView,
})
export type NamedView = Static<typeof NamedView>

const access = { kind: 'account', action: 'account.read', customerNumberIn: 'body', optional: true } as const
const about = {
  customerNumber: Type.Optional({
    ...CustomerNumber,
    description: 'Without it, the views are those of a table that is shown without an account. They cannot be shared',
  }),
}

export const listViews = operation({
  name: 'tableviews',
  summary: 'Named views of one table, on an account or without one: those of the caller, and those that others share',
  access,
  token: null,
  writes: false,
  takesTurns: false,
  body: requestFields({ ...about, tableName: TableNameField }),
  data: Type.Array(NamedView),
})

export const addView = operation({
  name: 'tableviews/add',
  summary: 'Save a view of a table under a name. A name that the caller has used for this table is refused with 409',
  access,
  token: null,
  writes: true,
  audit: viewWords('Saved', 'save'),
  body: requestFields({
    ...about,
    tableName: TableNameField,
    name,
    isShared: Type.Optional(Type.Boolean()),
    view: SavedView,
  }),
  data: NamedView,
})

export const changeView = operation({
  name: 'tableviews/change',
  summary: 'Rename a view of the caller, share it or stop sharing it, or replace what it shows',
  access,
  token: null,
  writes: true,
  audit: viewWords('Changed', 'change'),
  body: requestFields({
    ...about,
    id,
    name: Type.Optional(name),
    isShared: Type.Optional(Type.Boolean()),
    view: Type.Optional(SavedView),
  }),
  data: NamedView,
})

export const removeView = operation({
  name: 'tableviews/remove',
  summary: 'Delete a view of the caller; whoever manages the contacts of the account can delete shared ones of others',
  access,
  token: null,
  writes: true,
  audit: viewWords('Deleted', 'delete'),
  body: requestFields({ ...about, id }),
  data: Type.Null(),
})
