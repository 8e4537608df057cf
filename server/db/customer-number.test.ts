import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const PATTERN = /^[A-Za-z0-9-]{1,20}$/

/** The texts that a table refuses as a customer number. */
async function refusedBy(table: 'account' | 'usage_receipt', texts: readonly string[]): Promise<string[]> {
  const columns = table === 'account' ? sql`(customer_number, name)` : sql`(customer_number, id)`
  const { rows } = await sql<{ refused: string[] }>`select refused_by(
    ${sql`insert into ${sql.table(table)} ${columns} values ($1, 'x')`.compile(database.db).sql}, ${texts}::text[]) as refused`.execute(
    database.db,
  )
  return rows[0]?.refused ?? []
}

const characters = Array.from({ length: 0x17f }, (_, at) => String.fromCodePoint(at + 1))
const others = ['', '٣', '名', '\u212a', '😀', '-'.repeat(20), '1'.repeat(20), '1'.repeat(21), 'é'.repeat(20)]

// Tables have the check in one of two forms: as a pattern, or as the comparison of characters, which is cheaper.
test.each(['account', 'usage_receipt'] as const)(
  '%s takes customer numbers of 1 to 20 letters, digits and hyphens of ASCII',
  async (table) => {
    await sql`
      create or replace function refused_by(statement text, texts text[]) returns text[] language plpgsql as $$
      declare
        refused text[] := '{}';
        one text;
      begin
        foreach one in array texts loop
          begin
            execute statement using one;
          exception when check_violation then
            refused := refused || one;
          end;
        end loop;
        return refused;
      end $$`.execute(database.db)
    for (const texts of [
      characters,
      characters.map((one) => `10${one}01`),
      characters.map((one) => `100001${one}`),
      others,
    ])
      expect(await refusedBy(table, texts)).toEqual(texts.filter((text) => !PATTERN.test(text)))
  },
)
