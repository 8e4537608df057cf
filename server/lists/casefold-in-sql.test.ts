import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { casefold, caseVariants } from '#domain/filter/casefold.ts'
import { defineList } from '#server/lists/list-source.ts'
import { fetchCount } from '#server/lists/list-totals.ts'
import { freshDatabase } from '#server/testing/database.ts'

const texts = defineList({
  name: 'texts',
  fields: { Text: { column: 'text', type: 'text', nullable: false } },
  key: ['Text'],
  defaultSort: [],
  from: sql`texts`,
  scope: (_everyone: Record<never, never>) => sql`true`,
})
/** Every character except NUL, which text cannot hold, and surrogates. */
const CHARACTERS = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => character !== '\0' && character.isWellFormed(),
)
const FOLDED = CHARACTERS.filter((character) => casefold(character) === character && caseVariants(character) !== '')

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  await sql`create table texts (text text not null)`.execute(database.db)
})
afterAll(() => database.close())

async function store(all: readonly string[]): Promise<void> {
  await sql`truncate texts`.execute(database.db)
  await sql`insert into texts select * from json_array_elements_text(${JSON.stringify(all)}::json)`.execute(database.db)
}

test('SQL casefolds every letter that the browser casefolds', async () => {
  expect(FOLDED.length).toBeGreaterThan(500)
  for (let from = 0; from < FOLDED.length; from += 500) {
    const forms = FOLDED.slice(from, from + 500).map((letter) => letter + caseVariants(letter))
    const rounds = Math.max(...forms.map((form) => form.length))
    // The n-th text has the n-th form of each letter: all texts are equal ignoring case.
    await store(Array.from({ length: rounds }, (_, n) => forms.map((form) => form[n % form.length]).join('')))
    const value = forms.map((form) => form[0]).join('')
    const filter = { condition: 'ALL', criteria: [{ name: 'Text', method: 'EQUALS', value }] }
    expect(await fetchCount(database.db, texts, {}, { filter })).toBe(rounds)
  }
})

test('lower() with collation "C" changes A–Z only', async () => {
  await store(CHARACTERS)
  const changed = await sql<{ text: string }>`select text from texts where lower(text collate "C") <> text`.execute(
    database.db,
  )
  expect(changed.rows.map(({ text }) => text).join('')).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
})
