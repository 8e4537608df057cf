import { CsvReader, type CsvRecord, delimiterOf } from '#domain/csv-reader.ts'
import { MAX_NAME } from '#domain/web-licenses/web-user.ts'

/** A line of a file with users. */
export type UserLine = {
  /** Counted from 1, as editors and spreadsheets do. */
  readonly line: number
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** Activation ids of web entitlements that the user is assigned to. */
  readonly entitlements: readonly string[]
  /** Why the line is refused, without a call to the server. */
  readonly problem?: string
}

export const MAX_USER_LINES = 5_000
/** In bytes. */
export const MAX_USER_FILE = 1024 * 1024

/** What the import takes. */
export const USER_FILE_EXAMPLE =
  'email,name,groups,entitlements\nann.lee@company.com,Ann Lee,Design|Test,activation-id-1;activation-id-2\n'

type UserFile = { readonly users: readonly UserLine[] } | { readonly problem: string }

const COLUMNS = ['email', 'name', 'groups', 'entitlements'] as const
type Column = (typeof COLUMNS)[number]
/** What the columns of a file without a first line hold. Any further ones are ignored. */
const UNNAMED_COLUMNS: readonly string[] = ['email', 'name', 'groups'] satisfies Column[]
/** Separates the groups of one user, and the entitlements. Names of groups may have a semicolon. */
const SEPARATORS = { groups: /\|/, entitlements: /[;|]/ } as const
export const MAX_GROUPS_OF_LINE = 100
export const MAX_ENTITLEMENTS_OF_LINE = 100
/** Maximum length in characters of a cell; for `groups` and `entitlements`, of each of them. */
const MAX = { email: 254, name: MAX_NAME, groups: MAX_NAME, entitlements: 64 } as const

const TOO_LARGE = 'The file is larger than 1 MB. Import it in parts.'
const NOT_UTF8 =
  'The file is not UTF-8 text. In Excel, save it as "CSV UTF-8 (Comma delimited)". In a text editor, save it with the encoding UTF-8.'

/**
 * Reads users from a CSV file: email, name and groups, in this order or as the first line names them. Entitlements need that
 * line. All columns but the email may be missing.
 */
export function readUserFile(file: Uint8Array): UserFile {
  if (file.length > MAX_USER_FILE) return { problem: TOO_LARGE }
  const text = decodeUtf8(file)
  if (text === undefined) return { problem: NOT_UTF8 }
  const records = readRecords(text.replaceAll(/\r\n?/g, '\n'))
  const open = records.find((record) => 'fault' in record)
  if (open) return { problem: `Line ${open.line}: a quote opens here and is not closed. Close it or remove it.` }
  const lines = records.flatMap((record) =>
    'cells' in record && record.cells.some((cell) => cell.trim() !== '') ? record : [],
  )
  const [first] = lines
  if (!first) return { problem: 'The file is empty.' }
  const heads = first.cells.map((cell) => cell.trim().toLowerCase())
  const hasHeads = !heads.some((head) => head.includes('@'))
  if (hasHeads && !heads.includes('email'))
    return { problem: 'The file has no column "email". The columns are email, name, groups and entitlements.' }
  const columns = hasHeads ? heads : UNNAMED_COLUMNS
  const places = new Map(COLUMNS.map((column) => [column, columns.indexOf(column)]))
  const rows = hasHeads ? lines.slice(1) : lines
  if (rows.length === 0) return { problem: 'The file has no users.' }
  if (rows.length > MAX_USER_LINES)
    return {
      problem: `The file has ${rows.length.toLocaleString('en-US')} users. Import ${MAX_USER_LINES.toLocaleString('en-US')} at most at a time.`,
    }
  return {
    users: rows.map(({ line, cells }) => {
      const cell = (column: Column) => cells[places.get(column) ?? -1]?.trim() ?? ''
      const list = (column: keyof typeof SEPARATORS) =>
        cell(column)
          .split(SEPARATORS[column])
          .map((one) => one.trim())
          .filter((one) => one !== '')
      const user = {
        line,
        email: cell('email'),
        name: cell('name'),
        groups: list('groups'),
        entitlements: list('entitlements'),
      }
      const problem = problemOf(user)
      return problem === undefined ? user : { ...user, problem }
    }),
  }
}

/** Cells are separated by commas, semicolons or tabs, whichever the first line uses. */
function readRecords(text: string): CsvRecord[] {
  const reader = new CsvReader(delimiterOf(text), { isLenient: true })
  return [...reader.add(text), ...reader.end()]
}

/** Other programs write other encodings: their accents would be wrong, and files of two bytes per character unreadable. */
function decodeUtf8(file: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Limits of the import call, which would otherwise refuse all lines together. */
function problemOf({ email, name, groups, entitlements }: UserLine): string | undefined {
  const cells: [Column, string][] = [
    ['email', email],
    ['name', name],
    ...groups.map((one): [Column, string] => ['groups', one]),
    ...entitlements.map((one): [Column, string] => ['entitlements', one]),
  ]
  for (const [column, text] of cells) {
    if (/[\r\n]/.test(text)) return `Column "${column}": the cell has a line break. A quote may not be closed.`
    if (text.length > MAX[column]) return `Column "${column}": ${text.length} characters. ${MAX[column]} are allowed.`
  }
  if (groups.length > MAX_GROUPS_OF_LINE)
    return `Column "groups": ${groups.length} groups. ${MAX_GROUPS_OF_LINE} are allowed.`
  if (entitlements.length > MAX_ENTITLEMENTS_OF_LINE)
    return `Column "entitlements": ${entitlements.length} entitlements. ${MAX_ENTITLEMENTS_OF_LINE} are allowed.`
  return undefined
}
