import { readCsv } from '#domain/csv-reader.ts'

/** A line of a file with users. */
export type UserLine = {
  /** Counted from 1, as editors and spreadsheets do. */
  readonly line: number
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
}

export const MAX_USER_LINES = 5_000

/** What the import takes. */
export const USER_FILE_EXAMPLE = 'email,name,groups\nann.lee@company.com,Ann Lee,Design|Test\n'

type UserFile = { readonly users: readonly UserLine[] } | { readonly problem: string }

const COLUMNS = ['email', 'name', 'groups'] as const
/** Between the groups of one user. */
const GROUP_SEPARATOR = '|'

/** Reads users from CSV: email, name and groups, in this order or as the first line names them. Name and groups may be missing. */
export function readUserFile(text: string): UserFile {
  const lines = readCsv(text).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const [first] = lines
  if (!first) return { problem: 'The file is empty.' }
  const heads = first.cells.map((cell) => cell.trim().toLowerCase())
  const hasHeads = !heads.some((head) => head.includes('@'))
  if (hasHeads && !heads.includes('email'))
    return { problem: 'The file has no column "email". The columns are email, name and groups.' }
  const columns: readonly string[] = hasHeads ? heads : COLUMNS
  const rows = hasHeads ? lines.slice(1) : lines
  if (rows.length === 0) return { problem: 'The file has no users.' }
  if (rows.length > MAX_USER_LINES)
    return { problem: `The file has ${rows.length} users. Import ${MAX_USER_LINES} at most at a time.` }
  return {
    users: rows.map(({ line, cells }) => {
      const cell = (column: (typeof COLUMNS)[number]) => cells[columns.indexOf(column)]?.trim() ?? ''
      const groups = cell('groups').split(GROUP_SEPARATOR)
      return {
        line,
        email: cell('email'),
        name: cell('name'),
        groups: groups.map((group) => group.trim()).filter((group) => group !== ''),
      }
    }),
  }
}
