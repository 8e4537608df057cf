import { Type } from 'typebox'
import { RECORD_KINDS } from '#contract/data/kinds.ts'
import type { RecordKind } from '#contract/data/record-kind.ts'
import { MAX_RECORDS, pageFields, pageQuery } from '#contract/data/record-pages.ts'
import { lineResult } from '#contract/kit/answer.ts'
import { operation } from '#contract/kit/operation.ts'
import { exactly } from '#contract/kit/schema.ts'
import { act, savedRecord } from '#domain/audit/words.ts'

/** Enough for the longest batch of usual records. */
const BODY_LIMIT = 4 * 1024 * 1024

const line = lineResult({
  id: Type.String({ description: 'The fields of the key, joined by colons' }),
  result: Type.Optional(
    Type.Unsafe<'created' | 'changed' | 'unchanged' | 'removed'>({
      type: 'string',
      enum: ['created', 'changed', 'unchanged', 'removed'],
      description: 'With SUCCESS: what became of it. Nothing was written for what is unchanged.',
    }),
  ),
})

const CHANGED_AT = '2026-10-10T08:00:00.000Z'
const changedAt = Type.String({
  format: 'date-time',
  description: 'When it was last changed, through whatever door',
  examples: [CHANGED_AT],
})

/** A record as it is read: the shape in which it is sent, with everything in it, and when it changed. */
const readRecord = ({ schema }: RecordKind) => Type.Object({ ...schema.properties, changedAt })

/** A record as it is sent: one that was read can be sent back as it is. */
const sentRecord = ({ schema }: RecordKind) =>
  exactly({
    ...schema.properties,
    changedAt: Type.Optional(Type.String({ description: 'As it was read; it is ignored', examples: [CHANGED_AT] })),
  })

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
  minItems: 1,
  maxItems: MAX_RECORDS,
  description: 'Ids as the other calls answer them',
})

/** What the service API can do with one kind of record. */
export function recordOperations<Name extends string>(kind: RecordKind<Name>) {
  const path = `/service/v1/${kind.name}`
  const access = { kind: 'service', scope: kind.scope } as const
  const common = { access, token: null } as const
  const keyText = kind.key.join(':')
  return {
    save: operation({
      ...common,
      name: `service/${kind.name}` as const,
      method: 'PUT',
      path,
      summary: `Creates or changes records, at most ${MAX_RECORDS.toLocaleString('en')} at a time, each by ${keyText}. ${kind.summary}. Every record is taken or refused by itself; one that changes nothing is unchanged and writes nothing. Required fields are sent every time. An optional field that is left out stays as it is; a new record gets its default.`,
      writes: true,
      audit: savedRecord(kind.noun),
      takesTurns: true,
      bodyLimit: BODY_LIMIT,
      // Every record is checked separately, so that an invalid one does not refuse the others.
      body: exactly({
        records: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: MAX_RECORDS }),
      }),
      documentedBody: exactly({
        records: Type.Array(sentRecord(kind), { minItems: 1, maxItems: MAX_RECORDS, examples: [[kind.example]] }),
      }),
      data: Type.Array(line),
    }),
    list: operation({
      ...common,
      name: `service/${kind.name}/list` as const,
      method: 'GET',
      path,
      summary: `Lists records in the order of their ids, or with changedSince in the order of their changes. ${kind.summary}.`,
      writes: false,
      query: exactly({
        changedSince: Type.Optional(
          Type.String({
            format: 'date-time',
            maxLength: 40,
            description:
              'Only what changed at this instant or later. Send `until` of the previous answer to miss nothing, not even records that were being written then. A record can come twice.',
            examples: ['2026-10-10T08:00:00.000Z'],
          }),
        ),
        ...pageQuery,
      }),
      data: Type.Array(readRecord(kind)),
      extraFields: pageFields('changedSince'),
    }),
    get: operation({
      ...common,
      name: `service/${kind.name}/get` as const,
      method: 'GET',
      path: `${path}/:id`,
      summary: `One record by its id ${keyText}. ${kind.summary}.`,
      writes: false,
      takesTurns: false,
      params: exactly({
        id: Type.String({ minLength: 1, maxLength: 400, examples: [kind.keyOf(kind.example as object)] }),
      }),
      data: readRecord(kind),
    }),
    revoke: operation({
      ...common,
      name: `service/${kind.name}/revoke` as const,
      path: `${path}/revoke`,
      summary: `Revokes records by their ids ${keyText}, at most ${MAX_RECORDS.toLocaleString('en')} at a time. ${kind.summary}. ${kind.revoking}`,
      writes: true,
      audit: act(`Revoked ${kind.noun}`, `revoke ${kind.noun}`, ''),
      takesTurns: true,
      bodyLimit: BODY_LIMIT,
      body: exactly({ ids: Ids }),
      documentedBody: exactly({ ids: { ...Ids, examples: [[kind.keyOf(kind.example as object)]] } }),
      data: Type.Array(line),
    }),
  }
}

/** The operations of every kind of record. */
export const DATA_OPERATIONS = RECORD_KINDS.flatMap((kind) => Object.values(recordOperations(kind)))
