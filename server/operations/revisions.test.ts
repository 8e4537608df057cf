import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSave, type Edited, findRevision } from '#server/operations/revisions.queries.ts'
import { freshDatabase } from '#server/testing/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const save = (edited: Edited, read?: number) => database.db.transaction().execute((tx) => countSave(tx, edited, read))

test('a revision starts at 0 and counts the saves of one subject of one account', async () => {
  const edited = { customerNumber: 'R1', subject: 'reminders' } as const
  expect(await findRevision(database.db, edited)).toBe(0)
  expect(await save(edited, 0)).toBe(1)
  expect(await save(edited, 1)).toBe(2)
  expect(await findRevision(database.db, edited)).toBe(2)
  expect(await findRevision(database.db, { ...edited, customerNumber: 'R2' })).toBe(0)
  expect(await findRevision(database.db, { ...edited, subject: 'statement schedule' })).toBe(0)
})

test('a save with another revision than the stored one is not counted', async () => {
  const edited = { customerNumber: 'R3', subject: 'PIN of server-1' } as const
  expect(await save(edited, 1)).toBeUndefined()
  await save(edited, 0)
  expect(await save(edited, 0)).toBeUndefined()
  expect(await findRevision(database.db, edited)).toBe(1)
})

test('a save without a revision is always counted', async () => {
  const edited = { customerNumber: 'R4', subject: 'IP rules of server-1' } as const
  expect(await save(edited)).toBe(1)
  expect(await save(edited)).toBe(2)
})

test('of many saves of the same revision at the same moment, exactly one is counted', async () => {
  const edited = { customerNumber: 'R5', subject: 'usernames of server-1' } as const
  for (const revision of [0, 1, 2]) {
    const saves = await Promise.all(Array.from({ length: 8 }, () => save(edited, revision)))
    expect(saves.filter((saved) => saved !== undefined)).toEqual([revision + 1])
  }
})
