import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const PATTERN = /^[A-Za-z0-9-]{1,20}$/

async function isAccepted(text: string): Promise<boolean> {
  try {
    await sql`select ${text}::text::customer_number`.execute(database.db)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: '23514' })
    return false
  }
}

const characters = Array.from({ length: 0x17f }, (_, at) => String.fromCodePoint(at + 1))
const others = ['', '٣', '名', '\u212a', '😀', '-'.repeat(20), '1'.repeat(20), '1'.repeat(21), 'é'.repeat(20)]

test('a customer number has 1 to 20 letters, digits and hyphens of ASCII', async () => {
  const texts = [...characters, ...characters.map((one) => `10${one}01`), ...characters.map((one) => `100001${one}`)]
  for (const text of [...texts, ...others]) expect([text, await isAccepted(text)]).toEqual([text, PATTERN.test(text)])
})

test('a customer number that is missing is left to the column', async () => {
  const { rows } = await sql<{ none: null }>`select null::customer_number as none`.execute(database.db)
  expect(rows).toEqual([{ none: null }])
})
