import { describe, expect, test } from 'vitest'
import { type DraftRow, toDraft, toDraftRow, toValues, withoutRow } from '#web/form/draft.ts'
import type { Fields } from '#web/form/fields.ts'

type Link = { text: string; url: string }
type Values = { title: string; links: Link[] }

const NEW = { text: '', url: '' }
const FIELDS: Fields<Values> = {
  title: { label: 'Title' },
  links: { label: 'Links', newRow: NEW, byRow: { keyOf: ({ url }) => url, text: ({ text }) => text, absent: 'None' } },
}
const link = (url: string, text = `Text of ${url}`): Link => ({ text, url })

const look = (rows: unknown) =>
  (rows as (Link & DraftRow)[]).map(({ text, url, isRemoved = false }) => [text, url, isRemoved])

describe('the draft of a form', () => {
  test('has the values, and a key on every row', () => {
    const values = { title: 'A', links: [link('a'), link('b')] }
    const draft = toDraft(FIELDS, values)
    const keys = (draft.links as DraftRow[]).map(({ rowKey }) => rowKey)
    expect(new Set(keys).size).toBe(2)
    expect(toValues(FIELDS, draft)).toEqual(values)
  })

  test('shows saved rows that are no longer wanted as removed, and new ones at the end', () => {
    const saved = { title: 'A', links: [link('a'), link('b')] }
    const draft = toDraft(FIELDS, { title: 'A', links: [link('b', 'Changed'), link('c')] }, saved)
    expect(look(draft.links)).toEqual([
      ['Text of a', 'a', true],
      ['Changed', 'b', false],
      ['Text of c', 'c', false],
    ])
  })

  test('keeps a removed row visible, but not in the values', () => {
    const rows = [link('a'), link('b')].map((row) => toDraftRow(row))
    const after = withoutRow(rows, rows[0]!.rowKey, NEW)
    expect(look(after)[0]).toEqual(['Text of a', 'a', true])
    expect(toValues(FIELDS, { title: '', links: after })).toEqual({ title: '', links: [link('b')] })
  })

  test('removes a new row at once if it was never filled in', () => {
    const row = toDraftRow(NEW)
    expect(withoutRow([row], row.rowKey, NEW)).toEqual([])
  })
})
