import { Compile } from 'typebox/compile'
import type { RecordKind } from '#contract/data/record-kind.ts'
import { printable } from '#domain/activations/host-name.ts'
import { type Refusal, refusal } from '#server/data/data-kind.ts'

type Checked = { readonly row: object } | { readonly refusal: Refusal }
type Validator = ReturnType<typeof Compile>

const validators = new WeakMap<RecordKind, Validator>()

/** Whether something is a record of a kind, as its schema says; the reason names the field. */
export function checkRecord(kind: RecordKind, value: unknown): Checked {
  let validator = validators.get(kind)
  if (!validator) {
    validator = Compile(kind.schema)
    validators.set(kind, validator)
  }
  if (validator.Check(value)) return { row: value as object }
  return { refusal: refusal('INVALID_RECORD', reasonOf(kind, value, validator)) }
}

/** Of a choice such as "a day or null" every branch reports an error: the first one says what is expected. */
function reasonOf(kind: RecordKind, value: unknown, validator: Validator): string {
  const [first] = validator.Errors(value)
  if (!first) return 'The record is not of the expected form.'
  const params = first.params as Record<string, unknown>
  const field = fieldOf(first.instancePath)
  if (first.keyword === 'required') return `${list(params.requiredProperties)} is missing.`
  if (first.keyword === 'additionalProperties')
    return `There is no field ${list(params.additionalProperties)}. The fields are ${Object.keys(kind.schema.properties).join(', ')}.`
  if (first.keyword === 'enum') return `${field} must be one of ${list(params.allowedValues)}.`
  if (first.keyword === 'pattern' || first.keyword === 'format')
    return `${field} is not of the expected form${example(kind, field)}.`
  return `${field} ${first.message}${example(kind, field)}.`
}

const fieldOf = (path: string) => path.split('/').filter(Boolean).map(printable).join('.') || 'The record'

const list = (values: unknown) =>
  (Array.isArray(values) ? values : []).map((value) => printable(String(value))).join(', ')

function example({ example }: RecordKind, field: string): string {
  const value = (example as Record<string, unknown>)[field.split('.')[0] ?? '']
  return value === undefined || value === null ? '' : `, for example ${JSON.stringify(value)}`
}
