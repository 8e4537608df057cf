import { describe, expect, test } from 'vitest'
import type { Contact } from '#domain/settings/contacts.ts'
import { contactsIn, faultsOf, newRow, rowsOf, withoutRow } from '#web/modules/settings/contact-rows.ts'

const VIEWER = 'Licensing Portal Viewer'
const ADMINISTRATOR = 'Licensing Portal Administrator'
const contact = (email: string, role: Contact['role'] = VIEWER): Contact => ({ email, role })
const [ann, ben, cem] = [contact('ann@a.example'), contact('ben@a.example'), contact('cem@a.example')]

const look = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ email, role, isRemoved = false }) => [email, role, isRemoved])

describe('the rows of the contacts form', () => {
  test('show what was saved', () => {
    expect(look(rowsOf([ann, ben]))).toEqual([
      [ann.email, VIEWER, false],
      [ben.email, VIEWER, false],
    ])
  })

  test('keep what is no longer wanted as removed, and add what is new', () => {
    expect(look(rowsOf([ann, ben], [contact('BEN@a.example', ADMINISTRATOR), cem]))).toEqual([
      [ann.email, VIEWER, true],
      ['BEN@a.example', ADMINISTRATOR, false],
      [cem.email, VIEWER, false],
    ])
  })

  test('keep a removed contact in sight, but do not save it', () => {
    const rows = rowsOf([ann, ben])
    const after = withoutRow(rows, rows[0]!.key)
    expect(look(after)[0]).toEqual([ann.email, VIEWER, true])
    expect(contactsIn(after)).toEqual([ben])
  })

  test('drop a row that was never filled in', () => {
    const row = newRow()
    expect(withoutRow([row], row.key)).toEqual([])
  })

  test('find no error in a removed contact: its address can be added again', () => {
    const [first, second] = rowsOf([ann, ben]) as [ReturnType<typeof newRow>, ReturnType<typeof newRow>]
    const again = newRow(ann)
    const errors = faultsOf([{ ...first, isRemoved: true }, second, again])
    expect([...errors.keys()]).toEqual([second.key, again.key])
    expect([...errors.values()]).toEqual([{}, {}])
  })
})
