import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A text for `like` in which no character is a wildcard. */
export const plainText = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The column contains a text, ignoring case. */
export function containsText(column: RawBuilder<string>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${column} collate "C") like ${`%${plainText(text.toLowerCase())}%`}`
}

/** The column contains every word of a text, ignoring case. */
export function containsWords(column: RawBuilder<string>, text: string): RawBuilder<SqlBool> {
  return sql.join(
    text.split(' ').map((word) => containsText(column, word)),
    sql` and `,
  )
}

/** A column with an index in collation C that holds lower case only, such as email addresses, begins with a text. */
export function beginsWithLower(column: RawBuilder<string>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${column} like ${`${plainText(text.toLowerCase())}%`}`
}

/** A column with an index in collation C begins with a text: as it was typed, in lower case or in upper case. */
export function beginsWith(column: RawBuilder<string>, text: string): RawBuilder<SqlBool> {
  const forms = [...new Set([text, text.toLowerCase(), text.toUpperCase()])]
  return sql<SqlBool>`(${sql.join(
    forms.map((form) => sql`${column} like ${`${plainText(form)}%`}`),
    sql` or `,
  )})`
}
