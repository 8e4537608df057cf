import { type AttributePath, parseAttributePath, shown } from '#domain/provisioning/attribute-path.ts'
import { type FilterField, type PartTest, parseElementTests } from '#domain/provisioning/scim-filter.ts'
import { refuse, ScimProblem } from '#domain/provisioning/scim-problem.ts'
import { isObject, type JsonObject } from '#domain/provisioning/scim-values.ts'

export type PatchOperation = {
  readonly op: 'add' | 'remove' | 'replace'
  /** Undefined: the value names the attributes. */
  readonly path: string | undefined
  readonly value: unknown
}

const MAX_OPERATIONS = 1_000

/** Names of fields are read without case, as those of attributes. */
const fieldOf = (object: JsonObject, name: string): unknown =>
  object[name] ?? Object.entries(object).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

export function readOperations(body: unknown): readonly PatchOperation[] {
  const operations = isObject(body) ? fieldOf(body, 'Operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0)
    return refuse('invalidSyntax', 'Operations must be a list of operations.')
  if (operations.length > MAX_OPERATIONS) refuse('tooMany', `A PATCH can have ${MAX_OPERATIONS} operations.`)
  return operations.map(readOperation)
}

function readOperation(given: unknown, index: number): PatchOperation {
  if (!isObject(given)) return refuse('invalidSyntax', `Operations[${index}] must be an object.`)
  const [op, path, value] = [fieldOf(given, 'op'), fieldOf(given, 'path'), fieldOf(given, 'value')]
  const kind = typeof op === 'string' ? op.trim().toLowerCase() : ''
  if (kind !== 'add' && kind !== 'remove' && kind !== 'replace')
    return refuse('invalidSyntax', `Operations[${index}].op must be add, remove or replace.`)
  if (path !== undefined && path !== null && typeof path !== 'string')
    return refuse('invalidPath', `Operations[${index}].path must be a text.`)
  const trimmed = path?.trim() ?? ''
  if (trimmed === '' && kind === 'remove') return refuse('noTarget', `Operations[${index}] needs a path.`)
  return { op: kind, path: trimmed === '' ? undefined : trimmed, value }
}

/** `emails[type eq "work"].value`: the elements that meet the tests, or a part of them. */
export type PatchPath = AttributePath & { readonly elements?: string; readonly ofElements?: string }

export function parsePatchPath(text: string): PatchPath {
  const open = text.indexOf('[')
  if (open < 0) return parseAttributePath(text, 'invalidPath')
  const close = text.lastIndexOf(']')
  const rest = text.slice(close + 1)
  if (close < open || (rest !== '' && !/^\.[A-Za-z$][\w$-]*$/.test(rest)))
    return refuse('invalidPath', `"${shown(text)}" is no path.`)
  const path = parseAttributePath(text.slice(0, open), 'invalidPath')
  const part = rest === '' ? {} : { ofElements: rest.slice(1) }
  return { ...path, elements: text.slice(open + 1, close), ...part }
}

/** The tests of a path. What is wrong with them is wrong with the path. */
export function testsOf(field: FilterField, elements: string): readonly PartTest[] {
  try {
    return parseElementTests(field, elements)
  } catch (error) {
    if (error instanceof ScimProblem) return refuse('invalidPath', error.message)
    throw error
  }
}
