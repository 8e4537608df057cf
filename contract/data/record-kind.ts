import type { Static, TObject, TSchema } from 'typebox'
import type { ServiceScope } from '#domain/access/roles.ts'

type Declared<Name extends string, S extends TObject> = {
  /** The name in paths, on the command line and in file names. */
  readonly name: Name
  /** What the audit log calls a record. */
  readonly noun: string
  /** What a service key needs to read and write records of this kind. */
  readonly scope: ServiceScope
  /** What one record is. */
  readonly summary: string
  /** What happens to a record that is revoked. */
  readonly revoking: string
  /** Revoking deletes a record, and so may the portal. A call lists the removed ones. */
  readonly canBeRemoved?: true
  /** A record, on the wire and in files. An optional field that is left out stays as it is, or has its default in a new record. */
  readonly schema: S
  /** The fields that identify a record, in the order of the id. */
  readonly key: readonly (keyof Static<S> & string)[]
}

/** A kind of record that the vendor's own systems keep here. The service API, import and export have the same kinds. */
export type RecordKind<Name extends string = string, S extends TObject = TObject> = Declared<Name, S> & {
  /** The id of a record: the fields of its key, joined by colons. */
  keyOf(row: object): string
  readonly example: Static<S>
}

const SEPARATOR = ':'

export function recordKind<const Name extends string, S extends TObject>(
  declared: Declared<Name, S>,
): RecordKind<Name, S> {
  return {
    ...declared,
    keyOf: (row) => joinParts(declared.key.map((field) => (row as Record<string, unknown>)[field])),
    example: exampleOf(declared.schema),
  }
}

export const joinParts = (parts: readonly unknown[]): string => parts.map((part) => String(part ?? '')).join(SEPARATOR)

/** Splits a joined id into `count` parts; undefined if there are fewer. The last part may contain colons. */
export function partsOf(joined: string, count: number): string[] | undefined {
  const parts = joined.split(SEPARATOR)
  if (parts.length < count) return undefined
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(SEPARATOR)]
}

function exampleOf<S extends TObject>({ properties }: S): Static<S> {
  const examples = Object.entries(properties).map(([field, schema]) => [field, firstExample(field, schema)])
  return Object.fromEntries(examples) as Static<S>
}

function firstExample(field: string, schema: TSchema): unknown {
  const { examples = [] } = schema as { examples?: readonly unknown[] }
  if (examples.length === 0) throw new Error(`the field ${field} has no example`)
  return examples[0]
}
