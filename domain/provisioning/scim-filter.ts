import { parseAttributePath, shown } from '#domain/provisioning/attribute-path.ts'
import { refuse } from '#domain/provisioning/scim-problem.ts'
import { sameName } from '#domain/provisioning/scim-schema.ts'
import { isObject, type JsonObject, readBoolean } from '#domain/provisioning/scim-values.ts'

/**
 * Filters of RFC 7644, as far as providers send them: `eq`, `co`, `sw` and `pr`, joined by `and`, on a few attributes. A list such
 * as emails is compared as a whole (`emails.value eq "…"`) or by one element that meets several tests (`emails[type eq "work"]`).
 */
export type ScimTest =
  | { readonly op: 'pr' }
  | { readonly op: 'eq' | 'co' | 'sw'; readonly value: string | boolean | null }
export type PartTest = { readonly part: string | undefined; readonly test: ScimTest }
/** All tests hold for the value, or for one element of a list. */
export type ScimTerm = { readonly attribute: string; readonly tests: readonly PartTest[] }
/** All terms hold. */
export type ScimFilter = readonly ScimTerm[]

export type FilterField = {
  readonly name: string
  readonly type: 'text' | 'boolean' | 'list'
  readonly isCaseExact?: true
  /** Of a list. */
  readonly parts?: readonly FilterField[]
}

const text = (name: string): FilterField => ({ name, type: 'text' })
const exact = (name: string): FilterField => ({ name, type: 'text', isCaseExact: true })

const COMMON = [exact('id'), exact('externalId'), text('displayName')]
const EMAILS: FilterField = {
  name: 'emails',
  type: 'list',
  parts: [text('value'), text('type'), text('display'), { name: 'primary', type: 'boolean' }],
}
const MEMBERS: FilterField = { name: 'members', type: 'list', parts: [exact('value')] }
export const USER_FILTER_FIELDS: readonly FilterField[] = [
  text('userName'),
  ...COMMON,
  { name: 'active', type: 'boolean' },
  EMAILS,
]
export const GROUP_FILTER_FIELDS: readonly FilterField[] = [...COMMON, MEMBERS]

/** In characters: a user name of the greatest length and more. */
export const MAX_FILTER = 3_000
export const MAX_TERMS = 20

export function parseFilter(fields: readonly FilterField[], given: string): ScimFilter {
  if (given.length > MAX_FILTER) refuse('invalidFilter', `A filter can have ${MAX_FILTER} characters.`)
  const scanner = new Scanner(given)
  const terms = parseJoined(scanner, () => parseTerm(scanner, fields))
  if (!scanner.isAtEnd()) refuse('invalidFilter', `Nothing is expected after ${place(scanner)}.`)
  return terms
}

/** The tests between the brackets of `emails[type eq "work"]`. */
export function parseElementTests(field: FilterField, given: string): readonly PartTest[] {
  const scanner = new Scanner(given)
  const tests = parseJoined(scanner, () => parsePartTest(scanner, field))
  if (!scanner.isAtEnd()) refuse('invalidFilter', `Nothing is expected after ${place(scanner)}.`)
  return tests
}

function parseJoined<T>(scanner: Scanner, parse: () => T): T[] {
  const parsed = [parse()]
  for (let word = scanner.peekWord(); word !== ''; word = scanner.peekWord()) {
    if (word.toLowerCase() !== 'and')
      refuse('invalidFilter', `"${shown(word)}" is not supported here. Only "and" joins conditions.`)
    scanner.word()
    parsed.push(parse())
    if (parsed.length > MAX_TERMS) refuse('invalidFilter', `A filter can have ${MAX_TERMS} conditions.`)
  }
  return parsed
}

function parseTerm(scanner: Scanner, fields: readonly FilterField[]): ScimTerm {
  const { attribute, part, schema } = parseAttributePath(scanner.path(), 'invalidFilter')
  const field = schema === 'core' ? fields.find(({ name }) => sameName(name, attribute ?? '')) : undefined
  if (!field) {
    const names = fields.map(({ name }) => name).join(', ')
    return refuse('invalidFilter', `Filters on "${shown(attribute ?? schema)}" are not supported. Use ${names}.`)
  }
  if (scanner.takes('[')) {
    if (!field.parts || part !== undefined) refuse('invalidFilter', `${field.name} has no elements.`)
    const tests = parseJoined(scanner, () => parsePartTest(scanner, field))
    if (!scanner.takes(']')) refuse('invalidFilter', `"]" is missing after ${place(scanner)}.`)
    return { attribute: field.name, tests }
  }
  if (part === undefined)
    return { attribute: field.name, tests: [wholeTest(field, parseTest(scanner, valueField(field)))] }
  const partField = partNamed(field, part)
  return { attribute: field.name, tests: [{ part: partField.name, test: parseTest(scanner, partField) }] }
}

/** What a list is compared by when no part of it is named. */
const valueField = (field: FilterField): FilterField => field.parts?.find(({ name }) => name === 'value') ?? field
const wholeTest = (field: FilterField, test: ScimTest): PartTest => ({
  part: field.type === 'list' && test.op !== 'pr' ? 'value' : undefined,
  test,
})

function parsePartTest(scanner: Scanner, field: FilterField): PartTest {
  const name = scanner.path()
  const part = partNamed(field, name)
  return { part: part.name, test: parseTest(scanner, part) }
}

function partNamed(field: FilterField, name: string): FilterField {
  const part = field.parts?.find((one) => sameName(one.name, name))
  return part ?? refuse('invalidFilter', `Filters on "${shown(`${field.name}.${name}`)}" are not supported.`)
}

function parseTest(scanner: Scanner, { name, type }: FilterField): ScimTest {
  const op = scanner.word().toLowerCase()
  if (op === 'pr') return { op }
  if (op !== 'eq' && op !== 'co' && op !== 'sw')
    return refuse('invalidFilter', `The operator "${shown(op)}" is not supported. Use eq, co, sw or pr.`)
  const value = scanner.value()
  if (value === null && op === 'eq') return { op, value }
  if (type === 'boolean') {
    if (op !== 'eq') refuse('invalidFilter', `${name} can be compared with eq and pr only.`)
    if (typeof value === 'boolean' || typeof value === 'string') return { op, value: booleanOf(name, value) }
  }
  return typeof value === 'string'
    ? { op, value }
    : refuse('invalidFilter', `${name} is compared with a text in quotes.`)
}

function booleanOf(name: string, value: string | boolean): boolean {
  try {
    return readBoolean(name, value)
  } catch {
    return refuse('invalidFilter', `${name} is compared with true or false.`)
  }
}

const place = (scanner: Scanner) => `character ${scanner.position}`

/** Reads a filter once, from left to right. */
class Scanner {
  readonly #text: string
  #at = 0
  constructor(given: string) {
    this.#text = given
  }

  get position(): number {
    return this.#at
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === ' ') this.#at++
  }

  isAtEnd(): boolean {
    this.#skipBlanks()
    return this.#at >= this.#text.length
  }

  takes(character: string): boolean {
    this.#skipBlanks()
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #until(ends: string): string {
    this.#skipBlanks()
    const begin = this.#at
    while (this.#at < this.#text.length && !ends.includes(this.#text[this.#at] as string)) this.#at++
    return this.#text.slice(begin, this.#at)
  }

  path(): string {
    const path = this.#until(' []()"')
    return path === '' ? refuse('invalidFilter', `An attribute is missing at ${place(this)}.`) : path
  }

  word(): string {
    const word = this.#until(' []()"')
    return word === '' ? refuse('invalidFilter', `An operator is missing at ${place(this)}.`) : word
  }

  /** The next word, without moving on; empty at the end and before a bracket. */
  peekWord(): string {
    const at = this.#at
    const word = this.#until(' []"')
    this.#at = at
    return word
  }

  value(): string | boolean | number | null {
    this.#skipBlanks()
    if (this.#text[this.#at] === '"') return this.#quoted()
    const word = this.#until(' ]')
    if (word === 'true' || word === 'false' || word === 'null') return JSON.parse(word) as boolean | null
    return word !== '' && Number.isFinite(Number(word))
      ? Number(word)
      : refuse('invalidFilter', `A value in quotes is expected at ${place(this)}.`)
  }

  #quoted(): string {
    const begin = this.#at++
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"')
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    const end = ++this.#at
    try {
      return JSON.parse(this.#text.slice(begin, end)) as string
    } catch {
      return refuse('invalidFilter', `The text that begins at character ${begin} has no end, or a wrong escape.`)
    }
  }
}

/** Letters of ASCII only, as PostgreSQL compares texts of collation C. */
export const foldCase = (value: string): string => value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether a resource meets a filter. SQL answers the same (`scim.queries.ts`). */
export function matches(fields: readonly FilterField[], filter: ScimFilter, resource: JsonObject): boolean {
  return filter.every(({ attribute, tests }) => {
    const field = fields.find(({ name }) => name === attribute)
    const value = resource[attribute]
    if (field?.type !== 'list') return tests.every(({ test }) => passes(field, test, value))
    const elements = Array.isArray(value) ? value.filter(isObject) : []
    return elements.some((element) => meetsAll(field, tests, element))
  })
}

export const meetsAll = (field: FilterField, tests: readonly PartTest[], element: JsonObject): boolean =>
  tests.every(({ part, test }) => {
    if (part === undefined) return true
    return passes(
      field.parts?.find(({ name }) => name === part),
      test,
      element[part],
    )
  })

function passes(field: FilterField | undefined, test: ScimTest, value: unknown): boolean {
  const isEmpty = value === undefined || value === null || value === ''
  if (test.op === 'pr') return !isEmpty
  if (test.value === null) return isEmpty
  // A flag that is not set is false.
  if (typeof test.value === 'boolean') return (value ?? false) === test.value
  if (typeof value !== 'string') return false
  const fold = field?.isCaseExact ? (one: string) => one : foldCase
  const [has, wanted] = [fold(value), fold(test.value)]
  if (test.op === 'eq') return has === wanted
  return test.op === 'sw' ? has.startsWith(wanted) : has.includes(wanted)
}

export const EMAIL_FIELD = EMAILS
export const MEMBER_FIELD = MEMBERS
