import { type Static, Type } from 'typebox'
import { ServerId } from '#contract/activations/hosts/host-fields.ts'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'

const MAX_OBSERVATIONS = 50
/** Of one text, in characters. */
const MAX_TEXT = 4 * 1024 * 1024
const BODY_LIMIT = 8 * 1024 * 1024

const Observation = exactly({
  text: Type.String({
    maxLength: MAX_TEXT,
    description: 'The output of lmstat -a, a debug log, or a part of one',
  }),
  file: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\u0000-\\u001f]+$',
      description:
        'Makes the text a part of a debug log: the name of the file, another one after every rotation. Without it the kind of the text is found out.',
      examples: ['debug.log 2026-03-09 f3a1'],
    }),
  ),
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Where the part begins: so many bytes of the file, in UTF-8, were sent before it',
    }),
  ),
})
export type Observation = Static<typeof Observation>

const ObservationResult = Type.Object({
  kind: Type.Enum(['lmstat', 'log', 'unknown']),
  outcome: Type.Enum(['stored', 'known', 'waiting', 'older', 'failed', 'conflict', 'refused'], {
    description:
      'stored: read. known: was sent before, nothing changed. waiting: read as soon as what comes before it arrives. older: a newer lmstat output is known, so this one counts as a sample of use only. failed: lmstat could not reach the license server. conflict: other text is known at this position. refused: not a text of FlexNet.',
  }),
  reason: Type.Optional(Type.String({ description: 'Why the text was refused' })),
  unreadLines: Type.Integer({ description: 'Lines that could not be read' }),
  problems: Type.Optional(
    Type.Array(Type.Object({ line: Type.Integer({ minimum: 1 }), code: Type.String() }), {
      description: 'The first of these lines of lmstat output. They are kept with the report, as those of logs are.',
    }),
  ),
  position: Type.Optional(Type.Integer({ description: 'Everything before it is read' })),
})
export type ObservationResult = Static<typeof ObservationResult>

const fields = {
  customerNumber: CustomerNumber,
  serverId: ServerId,
  observations: Type.Array(Observation, { minItems: 1, maxItems: MAX_OBSERVATIONS }),
}
const shared = {
  summary:
    'Takes what a license server prints: lmstat output and debug logs. Every text is stored exactly once, in any order of arrival.',
  writes: true,
  takesTurns: true,
  bodyLimit: BODY_LIMIT,
  data: Type.Array(ObservationResult),
} as const

export const sendObservations = operation({
  ...shared,
  name: 'license-servers/observations',
  audit: { none: 'The log says until where it was read, and every checkout and denial in it is a row.' },
  access: { kind: 'account', action: 'activations.write', customerNumberIn: 'body' },
  token: 'license-use',
  body: requestFields(fields),
})

/** Observations that the vendor's own systems send, with a service key. */
export const sendServiceObservations = operation({
  ...shared,
  name: 'service/license-servers/observations',
  audit: { none: 'The same rows as those of license-servers/observations.' },
  path: '/service/v1/license-servers/observations',
  access: { kind: 'service', scope: 'license-use' },
  token: null,
  body: exactly(fields),
})
