import type { Kysely } from 'kysely'
import { joinParts, partsOf } from '#contract/data/record-kind.ts'
import { type RoleRecord, roleRecords } from '#contract/data/roles.ts'
import { isStaffRole } from '#domain/access/roles.ts'
import type { DataKind, ReadPage, ReadQuestion, ReadRow, RowOutcome } from '#server/data/data-kind.ts'
import type { DB } from '#server/db/schema.ts'
import { refusal } from '#server/http/http-error.ts'

type Sorts = { readonly staff: DataKind; readonly grants: DataKind }

/** Roles of two sorts, stored in two tables. On the wire and in files they are one kind. */
export function roleData({ staff, grants }: Sorts): DataKind {
  const split = async <T>(
    items: readonly T[],
    isStaff: (item: T) => boolean,
    run: (data: DataKind, own: readonly T[]) => Promise<RowOutcome[]>,
  ): Promise<RowOutcome[]> => {
    const ofStaff = (await run(staff, items.filter(isStaff))).values()
    const ofAccounts = (
      await run(
        grants,
        items.filter((item) => !isStaff(item)),
      )
    ).values()
    return items.map((item) => (isStaff(item) ? ofStaff : ofAccounts).next().value as RowOutcome)
  }
  return {
    kind: roleRecords,
    tables: [...staff.tables, ...grants.tables],
    async save(tx, rows, context) {
      const records = rows as readonly RoleRecord[]
      const good = records.filter((row) => errorOf(row) === undefined)
      const saved = (
        await split(
          good,
          ({ role }) => isStaffRole(role),
          (data, own) => data.save(tx, own, context),
        )
      ).values()
      return records.map((row): RowOutcome => {
        const error = errorOf(row)
        if (error === undefined) return saved.next().value as RowOutcome
        return { key: roleRecords.keyOf(row), result: 'refused', ...refusal('INVALID_RECORD', error) }
      })
    },
    read: (db, question) => readBoth({ staff, grants }, db, question),
    async find(db, ids) {
      const ofStaff = await staff.find(db, ids.filter(isIdOfStaff))
      return [...ofStaff, ...(await grants.find(db, ids))].map(withAccount)
    },
    revoke: (tx, ids, context) => split(ids, isIdOfStaff, (data, own) => data.revoke(tx, own, context)),
  }
}

function errorOf({ role, customerNumber = '' }: RoleRecord): string | undefined {
  if (isStaffRole(role) === (customerNumber === '')) return undefined
  return customerNumber === ''
    ? `${role} needs a customerNumber.`
    : `${role} is a role of staff: it has no customerNumber.`
}

function isIdOfStaff(id: string): boolean {
  const [role = '', customerNumber] = partsOf(id, roleRecords.key.length) ?? []
  return isStaffRole(role) && customerNumber === ''
}

const withAccount = (row: ReadRow<object>) => ({ customerNumber: '', ...row }) as ReadRow<RoleRecord>

const TIME_END = '~'

/** No role is of both sorts, so ordering by role, account and email keeps the order of each sort. */
async function readBoth({ staff, grants }: Sorts, db: Kysely<DB>, question: ReadQuestion): Promise<ReadPage<object>> {
  const ofStaff = await staff.read(db, { ...question, ...afterOfStaff(question) })
  const ofAccounts = await grants.read(db, question)
  const all = [...ofStaff.rows, ...ofAccounts.rows].map(withAccount)
  const position = (row: ReadRow<RoleRecord>) =>
    question.changedSince ? `${row.changedAt}${TIME_END}${roleRecords.keyOf(row)}` : roleRecords.keyOf(row)
  const sorted = all.sort((one, other) => compareParts(position(one), position(other)))
  const rows = sorted.slice(0, question.limit)
  const last = rows.at(-1)
  const hasMore = sorted.length > rows.length || ofStaff.next !== undefined || ofAccounts.next !== undefined
  return hasMore && last ? { rows, next: position(last) } : { rows }
}

/** The table of staff roles has no account in its key. */
function afterOfStaff({ after = '' }: ReadQuestion): { after?: string } {
  const keyStart = after.indexOf(TIME_END) + 1
  const [role, , email] = partsOf(after.slice(keyStart), roleRecords.key.length) ?? []
  return email === undefined ? {} : { after: after.slice(0, keyStart) + joinParts([role, email]) }
}

function compareParts(one: string, other: string): number {
  const others = other.split(/[:~]/)
  for (const [at, part] of one.split(/[:~]/).entries()) {
    const against = others[at] ?? ''
    if (part !== against) return part < against ? -1 : 1
  }
  return 0
}
