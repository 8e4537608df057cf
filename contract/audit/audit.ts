import { type Static, Type } from 'typebox'
import { declareList, exportBody, type WireRow } from '#contract/kit/list.ts'
import { LIST_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { Task } from '#contract/tasks/tasks.ts'
import { ACTOR_KINDS, OUTCOMES } from '#domain/audit/audit-line.ts'
import { download, plain } from '#domain/audit/words.ts'

const chain = {
  customerNumber: Type.Optional(
    Type.String({
      ...CustomerNumber,
      description: 'The account whose log is meant. Without it: what concerns no account, for staff only.',
    }),
  ),
}
const text = (description: string) => ({ type: 'text', schema: Type.String({ description }) }) as const

/** What was done and refused, by whom. */
export const auditList = declareList({
  name: 'audit',
  rows: 'audit log of an account, or of what concerns none, the newest first unless sorted otherwise',
  access: { kind: 'account', action: 'audit.read', customerNumberIn: 'body', optional: true },
  token: 'audit',
  scope: chain,
  fields: {
    id: { type: 'number', schema: Type.Integer({ description: 'Unique; decides between rows of the same time' }) },
    sequence: {
      type: 'number',
      nullable: true,
      schema: Type.Integer({ description: 'The place in the chain, without gaps; null while the row is being sealed' }),
    },
    time: { type: 'instant' },
    actor: text('The email of a person, or the name of a key'),
    actorKind: { type: 'text', schema: Type.String({ enum: [...ACTOR_KINDS] }) },
    action: text('The name of the operation or command'),
    text: text('What was done, in words'),
    target: { ...text('What it was done to'), nullable: true },
    address: text('The network address that it came from'),
    program: { ...text('What the caller says that it is (User-Agent), shortened'), nullable: true },
    credential: {
      ...text(
        'The name and id of the token or service key that acted, or the sign-in provider of an account that a person came through',
      ),
      nullable: true,
    },
    outcome: { type: 'text', schema: Type.String({ enum: [...OUTCOMES] }) },
    before: { type: 'json' },
    after: { type: 'json' },
    hash: {
      ...text('SHA-256 of the row and of the hash before it; null while the row is being sealed'),
      nullable: true,
    },
  },
  key: ['time', 'id'],
  defaultSort: [{ name: 'time', direction: 'desc' }],
  distinct: 'action',
  csv: {
    noun: 'the audit log',
    summary: 'The audit log as CSV (UTC times), refused over 30,000 rows: FAILURE as JSON',
  },
})
export type AuditRow = WireRow<typeof auditList.fields>

/** The columns of the screen, in its order, with their headers. An export has the same. */
export const AUDIT_COLUMNS = [
  ['sequence', 'Sequence'],
  ['time', 'Time'],
  ['actor', 'Who'],
  ['actorKind', 'Kind'],
  ['credential', 'Token or key'],
  ['text', 'What'],
  ['target', 'Target'],
  ['outcome', 'Outcome'],
  ['address', 'Address'],
  ['program', 'Program'],
  ['action', 'Action'],
  ['hash', 'Hash'],
] as const satisfies readonly (readonly [field: keyof AuditRow, header: string])[]

export const AUDIT_EXPORT = 'audit-export'
export const AUDIT_EXPORT_KEPT_DAYS = 7

export const startAuditExport = operation({
  name: 'audit/exports/start',
  summary: 'Begin a background export of everything in the audit log of an account that matches, as CSV',
  access: { kind: 'account', action: 'audit.read', customerNumberIn: 'body' },
  token: 'audit',
  writes: true,
  audit: plain('Started an export of the audit log', 'export the audit log'),
  refusals: ['EXPORT_SPACE_USED', 'NO_DISK_SPACE', 'TOO_MANY_EXPORTS'],
  bodyLimit: LIST_BODY_LIMIT,
  body: exportBody({ customerNumber: CustomerNumber }),
  data: Task,
  extraFields: { reused: Type.Boolean({ description: 'The export was there already; nothing was begun' }) },
})

/** For log collectors. The sequence of the last line is the `after` of the next call. */
export const exportAuditLines = operation({
  name: 'audit/lines',
  summary:
    'The sealed rows of the audit log after a sequence number, one JSON object per line (NDJSON), with all that their hashes cover',
  access: { kind: 'account', action: 'audit.read', customerNumberIn: 'query', optional: true },
  token: 'audit',
  writes: false,
  audit: download('the audit log'),
  query: requestFields({
    ...chain,
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The last sequence that is known; 0 by default',
      }),
    ),
  }),
  data: Type.Unknown(),
  media: 'application/x-ndjson',
})

const CheckpointSchema = Type.Object({
  customerNumber: Type.String(),
  day: Type.String({ format: 'date', description: 'The day (UTC) on which it was signed' }),
  sequence: Type.Integer({ description: 'The last row that it covers' }),
  hash: Type.String({ description: 'The hash of that row' }),
  madeAt: Type.String({ format: 'date-time' }),
  keyId: Type.String(),
  publicKey: Type.String({ description: 'Ed25519, SPKI in base64' }),
  signature: Type.String({ description: 'In base64, over the canonical form of the other fields (docs/audit-log.md)' }),
})
export type WireCheckpoint = Static<typeof CheckpointSchema>

export const listAuditCheckpoints = operation({
  name: 'audit/checkpoints',
  summary: 'Signed checkpoints of the audit log, the newest first',
  access: { kind: 'account', action: 'audit.read', customerNumberIn: 'query', optional: true },
  token: 'audit',
  writes: false,
  query: requestFields(chain),
  data: Type.Array(CheckpointSchema),
})
