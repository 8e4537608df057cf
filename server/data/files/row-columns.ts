import type { TObject, TSchema } from 'typebox'
import { type CsvValue, unguardText } from '#domain/csv.ts'
import { FileError } from '#server/data/files/checked-text.ts'

/** A field of a record as a column of a CSV file. */
export type Column = {
  readonly name: string
  readonly isRequired: boolean
  /** A list holds texts; JSON is for values that fit no other form. */
  readonly form: 'text' | 'number' | 'boolean' | 'list' | 'json'
}

type Fields = { type?: string; anyOf?: readonly TSchema[]; items?: TSchema; const?: unknown }

export function columnsOf(schema: TObject): readonly Column[] {
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    isRequired: required.includes(name),
    form: formOf(field as Fields),
  }))
}

function formOf({ type, anyOf, items, const: value }: Fields): Column['form'] {
  if (anyOf) {
    const forms = new Set(anyOf.filter((one) => (one as Fields).type !== 'null').map((one) => formOf(one as Fields)))
    return forms.size === 1 ? ([...forms][0] ?? 'json') : 'json'
  }
  switch (type ?? typeof value) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return items && formOf(items as Fields) === 'text' ? 'list' : 'json'
    default:
      return 'json'
  }
}

const NUMBER = /^-?[0-9]+(?:[.][0-9]+)?$/

/** The value of a cell; an empty cell has none. An invalid value stays a text, which the schema then refuses. */
export function readCell({ form }: Column, cell: string): unknown {
  if (cell === '') return undefined
  switch (form) {
    case 'text':
      return unguardText(cell)
    case 'number':
      return NUMBER.test(cell) ? Number(cell) : cell
    case 'boolean':
      // Spreadsheets write TRUE and FALSE.
      return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell
    case 'list':
      return splitList(unguardText(cell))
    case 'json':
      return readJson(unguardText(cell))
  }
}

export function cellOf({ form }: Column, value: unknown): CsvValue {
  if (value === undefined || value === null) return undefined
  switch (form) {
    case 'text':
      return value === '' ? undefined : { exact: String(value) }
    case 'number':
    case 'boolean':
      return value as number | boolean
    case 'list':
      return { exact: joinList(value as readonly string[]) }
    case 'json':
      return { exact: JSON.stringify(value) }
  }
}

/** Separates the elements of a list. A backslash before it, or before a backslash, escapes it. */
const SEPARATOR = ';'

const joinList = (elements: readonly string[]) =>
  elements.map((element) => element.replaceAll(/[\\;]/g, (special) => `\\${special}`)).join(SEPARATOR)

function splitList(text: string): string[] {
  const elements: string[] = []
  let element = ''
  for (let at = 0; at < text.length; at++) {
    const isEscape = text[at] === '\\' && at + 1 < text.length
    if (isEscape) at++
    if (!isEscape && text[at] === SEPARATOR) {
      elements.push(element)
      element = ''
    } else element += text[at]
  }
  return [...elements, element]
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** More columns than any record has. */
const MAX_COLUMNS = 200

/** The columns in the order of a file. Its header must have those that a record needs, and no others than a record has. */
export function columnsOfHeader(header: readonly string[], columns: readonly Column[]): readonly Column[] {
  if (header.length > MAX_COLUMNS) throw new FileError(`Line 1 has more than ${MAX_COLUMNS} columns.`)
  const names = header.map((name) => name.trim())
  const known = new Map(columns.map((column) => [column.name, column]))
  const complaints = [
    ['unknown', names.filter((name) => !known.has(name)).map((name) => name || '(empty)')],
    ['missing', columns.filter(({ name, isRequired }) => isRequired && !names.includes(name)).map(({ name }) => name)],
    ['more than once', [...new Set(names.filter((name, at) => names.indexOf(name) < at))]],
  ] as const
  const found = complaints.filter(([, those]) => those.length > 0)
  if (found.length > 0)
    throw new FileError(
      `The columns in line 1 do not fit: ${found.map(([what, those]) => `${what}: ${those.join(', ')}`).join('; ')}. ` +
        `A file has the columns ${columns.map(({ name, isRequired }) => (isRequired ? name : `[${name}]`)).join(', ')}; those in brackets may be left out.`,
    )
  return names.flatMap((name) => known.get(name) ?? [])
}
