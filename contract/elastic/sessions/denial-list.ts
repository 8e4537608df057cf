import { Type } from 'typebox'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'
import { SESSION_REFUSAL_CODES, SESSION_REFUSAL_LABELS } from '#domain/elastic/sessions/session-refusal.ts'

/** Session starts that were refused. */
export const denialList = declareList({
  name: 'elastic/denials',
  rows: 'denied session starts of an account, the newest first unless sorted otherwise',
  access: { kind: 'account', action: 'elastic.read', customerNumberIn: 'body' },
  token: 'usage',
  scope: { customerNumber: CustomerNumber },
  fields: {
    Id: { type: 'number', schema: Type.Integer({ description: 'Unique on the account' }) },
    Time: { type: 'instant', schema: Type.String({ format: 'date-time' }) },
    Reason: { type: 'text', schema: Type.String({ examples: [...SESSION_REFUSAL_CODES] }) },
    ReasonText: {
      type: 'text',
      schema: Type.String({
        description: 'The reason in plain words',
        examples: Object.values(SESSION_REFUSAL_LABELS),
      }),
    },
    Product: { type: 'text' },
    ProductCount: { type: 'number', schema: Type.Integer() },
    User: { type: 'text' },
    Host: { type: 'text' },
    Project: { type: 'text', nullable: true },
    productVersion: { type: 'text' },
    REFERER_IP_ADDRESS: {
      type: 'text',
      schema: Type.String({ description: 'The address that the elastic service saw' }),
    },
    ServerID: { type: 'text' },
    Limit: {
      type: 'text',
      nullable: true,
      schema: Type.String({ description: 'The limit that refused the start, as it was then' }),
    },
    LimitID: { type: 'text', nullable: true },
  },
  key: ['Time', 'Id'],
  defaultSort: [{ name: 'Time', direction: 'desc' }],
  distinct: 'Reason',
  csv: { noun: 'denied session starts', summary: 'Denied session starts as CSV (UTC times), refused over 30,000 rows' },
})
export type Denial = WireRow<typeof denialList.fields>

/** The columns of the screen, in its order, with their headers. An export has the same. */
export const DENIAL_COLUMNS = [
  ['Time', 'Time'],
  ['ReasonText', 'Reason'],
  ['Product', 'Product'],
  ['ProductCount', 'Count'],
  ['User', 'Username'],
  ['Host', 'Hostname'],
  ['Project', 'Project'],
  ['REFERER_IP_ADDRESS', 'External IP'],
  ['productVersion', 'Version'],
  ['ServerID', 'License Server ID'],
  ['Limit', 'Limit'],
] as const satisfies readonly (readonly [field: keyof Denial, header: string])[]
