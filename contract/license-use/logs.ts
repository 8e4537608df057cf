import { Type } from 'typebox'
import { declareList, type WireRow } from '#contract/kit/list.ts'
import { CustomerNumber } from '#contract/kit/schema.ts'

const time = Type.String({ description: 'By the clock of the license server', examples: ['2026-10-01 09:20:00'] })

export const licenseLogList = declareList({
  name: 'license-use/logs',
  rows: 'debug logs that license servers have reported, the one with the latest line first unless sorted otherwise',
  access: { kind: 'account', action: 'activations.read', customerNumberIn: 'body' },
  token: 'license-use',
  scope: { customerNumber: CustomerNumber },
  fields: {
    id: { type: 'text', schema: Type.String({ description: 'Unique on the account' }) },
    name: { type: 'text' },
    serverId: { type: 'text' },
    serverName: { type: 'text' },
    lines: { type: 'number', schema: Type.Integer() },
    unreadLines: { type: 'number', schema: Type.Integer({ description: 'Lines that could not be read' }) },
    unread: {
      type: 'text',
      schema: Type.String({
        description: 'The first lines that could not be read, with the reasons',
        examples: ['line 9 (unreadable event)'],
      }),
    },
    firstAt: { type: 'text', nullable: true, schema: time },
    lastAt: { type: 'text', nullable: true, schema: time },
  },
  key: ['id'],
  defaultSort: [{ name: 'lastAt', direction: 'desc' }],
  distinct: 'serverName',
})
export type LicenseLog = WireRow<typeof licenseLogList.fields>
