import { Compile } from 'typebox/compile'
import type { RecordKind } from '#contract/data/record-kind.ts'
import { printable } from '#domain/activations/hosts/host-name.ts'
import { type Refusal, refusal } from '#server/http/http-error.ts'

/** `field` is the first invalid field. */
type Checked = { readonly row: object } | { readonly refusal: Refusal & { readonly field: string } }
type Validator = ReturnType<typeof Compile>

/** Validates a value against the schema of a record kind; the reason names the field. */
export function recordChecker(kind: RecordKind): (value: unknown) => Checked {
  const validator = Compile(kind.schema)
  return (value) => {
    const isValid = validator.Check(value)
    const fault = isValid ? unusableText(value as object) : faultOf(kind, value, validator)
    if (!fault) return { row: value as object }
    const { field, reason } = fault
    return { refusal: { ...refusal('INVALID_RECORD', reason), field } }
  }
}

type Fault = { readonly field: string; readonly reason: string }

/** Half of a surrogate pair has no UTF-8: the database would refuse it together with the rest of the batch. */
function unusableText(value: object): Fault | undefined {
  for (const [field, held] of Object.entries(value)) {
    const isUsable = Array.isArray(held) ? held.every(isWellFormed) : isWellFormed(held)
    if (!isUsable) return { field, reason: `${field} is not valid Unicode.` }
  }
  return undefined
}

const isWellFormed = (value: unknown) => typeof value !== 'string' || value.isWellFormed()

/** For a union such as "a day or null", every branch reports an error: the first one says what is expected. */
function faultOf(kind: RecordKind, value: unknown, validator: Validator): Fault {
  const unknown = Object.keys(Object(value)).find((name) => !Object.hasOwn(kind.schema.properties, name))
  if (unknown !== undefined && !Array.isArray(value)) {
    const field = printable(unknown)
    const fields = Object.keys(kind.schema.properties).join(', ')
    return { field, reason: `There is no field ${field}. The fields are ${fields}.` }
  }
  const [first] = validator.Errors(value)
  if (!first) return { field: '', reason: 'The record is not of the expected form.' }
  const { requiredProperties, allowedValues } = first.params as Record<string, unknown>
  const field = fieldOf(first.instancePath)
  switch (first.keyword) {
    case 'required':
      return { field: list(requiredProperties), reason: `${list(requiredProperties)} is missing.` }
    case 'enum':
      return { field, reason: `${field} must be one of ${list(allowedValues)}.` }
    case 'pattern':
    case 'format':
      return { field, reason: `${field} is not of the expected form${example(kind, field)}.` }
    default:
      return { field, reason: `${field} ${first.message}${example(kind, field)}.` }
  }
}

const fieldOf = (path: string) => path.split('/').filter(Boolean).map(printable).join('.') || 'The record'

const list = (values: unknown) =>
  (Array.isArray(values) ? values : []).map((value) => printable(String(value))).join(', ')

function example({ example }: RecordKind, field: string): string {
  const value = (example as Record<string, unknown>)[field.split('.')[0] ?? '']
  return value === undefined || value === null ? '' : `, for example ${JSON.stringify(value)}`
}
