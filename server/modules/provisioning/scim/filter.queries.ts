import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { foldCase, type PartTest, type ScimFilter, type ScimTest } from '#domain/provisioning/scim-filter.ts'
import { plainText } from '#server/lists/like-pattern.ts'

type Condition = RawBuilder<SqlBool>
/** A column, and whether it is compared with upper and lower case. One that is folded has lower case only. */
type Column = { readonly column: RawBuilder<unknown>; readonly kind: 'exact' | 'any case' | 'folded' | 'boolean' }

const column = (name: string, kind: Column['kind']): Column => ({ column: sql.ref(name), kind })

const USER_COLUMNS: Readonly<Record<string, Column>> = {
  id: column('u.user_id', 'exact'),
  userName: column('u.user_name_key', 'folded'),
  externalId: column('u.external_id', 'exact'),
  displayName: column('u.display_name', 'any case'),
  active: column('u.is_active', 'boolean'),
}
const EMAIL_COLUMNS: Readonly<Record<string, Column>> = {
  value: { column: sql`(e.value ->> 'value') collate "C"`, kind: 'any case' },
  type: { column: sql`(e.value ->> 'type') collate "C"`, kind: 'any case' },
  display: { column: sql`(e.value ->> 'display') collate "C"`, kind: 'any case' },
  primary: { column: sql`(e.value ->> 'primary')::boolean`, kind: 'boolean' },
}
const GROUP_COLUMNS: Readonly<Record<string, Column>> = {
  id: column('g.group_id', 'exact'),
  externalId: column('g.external_id', 'exact'),
  displayName: column('g.display_name', 'any case'),
}
const MEMBER_COLUMNS: Readonly<Record<string, Column>> = { value: column('m.user_id', 'exact') }

export const usersMeet = (filter: ScimFilter): Condition =>
  all(
    filter.map(({ attribute, tests }) =>
      attribute === 'emails'
        ? sql<SqlBool>`exists (select 1 from jsonb_array_elements(coalesce(u.attributes -> 'emails', '[]'::jsonb)) as e (value)
            where ${meetsAll(EMAIL_COLUMNS, tests)})`
        : meetsAll({ '': USER_COLUMNS[attribute] as Column }, tests),
    ),
  )

export const groupsMeet = (filter: ScimFilter, customerNumber: string): Condition =>
  all(
    filter.map(({ attribute, tests }) =>
      attribute === 'members'
        ? sql<SqlBool>`exists (select 1 from scim_member m where m.customer_number = ${customerNumber}
            and m.group_id = g.group_id and ${meetsAll(MEMBER_COLUMNS, tests)})`
        : meetsAll({ '': GROUP_COLUMNS[attribute] as Column }, tests),
    ),
  )

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length > 0 ? sql<SqlBool>`(${sql.join(conditions, sql` and `)})` : sql<SqlBool>`true`

/** A list as a whole has no column: it is there if it has an element. */
const meetsAll = (columns: Readonly<Record<string, Column>>, tests: readonly PartTest[]): Condition =>
  all(
    tests.map(({ part, test }) => {
      const found = columns[part ?? '']
      return found ? meets(found, test) : sql<SqlBool>`true`
    }),
  )

function meets({ column: on, kind }: Column, test: ScimTest): Condition {
  if (test.op === 'pr') return kind === 'boolean' ? sql`${on} is not null` : sql`coalesce(${on}, '') <> ''`
  const { value } = test
  if (value === null) return kind === 'boolean' ? sql`${on} is null` : sql`coalesce(${on}, '') = ''`
  if (typeof value === 'boolean') return sql`coalesce(${on}, false) = ${value}`
  const wanted = kind === 'exact' ? value : foldCase(value)
  // Of collation C: letters of ASCII change their case, as in the domain.
  const text = kind === 'any case' ? sql`lower(${on})` : on
  if (test.op === 'eq') return sql`${text} = ${wanted}`
  const pattern = plainText(wanted)
  return sql`${text} like ${test.op === 'sw' ? `${pattern}%` : `%${pattern}%`}`
}
