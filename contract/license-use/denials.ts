import { Type } from 'typebox'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'
import { Day } from '#contract/license-use/license-use.ts'
import { DENIAL_CAUSES } from '#domain/license-use/logs/denial-cause.ts'

/** Times are those of the license server's clock, without a zone, so they are texts. */
export const licenseDenialList = declareList({
  name: 'license-use/denials',
  rows: 'denials of license servers in a range of days, the newest first unless sorted otherwise',
  access: { kind: 'account', action: 'activations.read', customerNumberIn: 'body' },
  token: 'license-use',
  scope: { customerNumber: CustomerNumber, from: Day, to: Day },
  fields: {
    id: { type: 'text', schema: Type.String({ description: 'Unique on the account' }) },
    time: {
      type: 'text',
      schema: Type.String({ description: 'By the clock of the license server', examples: ['2026-10-01 09:20:00'] }),
    },
    serverId: { type: 'text' },
    serverName: { type: 'text' },
    feature: { type: 'text' },
    user: { type: 'text' },
    host: { type: 'text' },
    seats: { type: 'number', schema: Type.Integer() },
    version: { type: 'text', nullable: true },
    cause: { type: 'text', schema: Type.Enum([...DENIAL_CAUSES]) },
    causeText: { type: 'text', schema: Type.String({ description: 'The cause in plain words' }) },
    code: { type: 'number', nullable: true, schema: Type.Integer({ description: 'FlexNet’s number' }) },
    text: { type: 'text', nullable: true, schema: Type.String({ description: 'FlexNet’s text' }) },
    meaning: {
      type: 'text',
      schema: Type.String({
        description:
          'Denial (no seat within a minute): a shortage that was no retry, and after which the user got no seat within a minute',
      }),
    },
    isReal: { type: 'boolean' },
  },
  key: ['time', 'id'],
  defaultSort: [{ name: 'time', direction: 'desc' }],
  distinct: 'causeText',
  csv: {
    noun: 'denials of license servers',
    summary: 'Denials of license servers as CSV (times of the license servers), refused over 30,000 rows',
  },
})
export type LicenseDenial = WireRow<typeof licenseDenialList.fields>

/** The columns of the screen, in its order. An export has the same. */
export const LICENSE_DENIAL_COLUMNS = [
  ['time', 'Time'],
  ['meaning', 'Meaning'],
  ['causeText', 'Cause'],
  ['feature', 'Feature'],
  ['serverName', 'License Server'],
  ['user', 'User'],
  ['host', 'Host'],
  ['seats', 'Seats'],
  ['version', 'Version'],
  ['code', 'FlexNet Number'],
  ['text', 'FlexNet Text'],
  ['serverId', 'Server ID'],
] as const satisfies readonly (readonly [field: keyof LicenseDenial & string, header: string])[]
