import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { act } from '#domain/audit/words.ts'

/** The only call that somebody who views as a contact can make to change something. */
export const STOP_VIEWING = 'viewas/stop'

export const startViewing = operation({
  name: 'viewas/start',
  summary: 'Staff see the portal as a contact of an account sees it, read-only, until they stop',
  access: { kind: 'account', action: 'contacts.view-as', customerNumberIn: 'body' },
  token: null,
  writes: true,
  audit: act('Began to view the portal', 'view the portal as a contact', 'as'),
  body: requestFields({ customerNumber: CustomerNumber, email: Type.String({ format: 'email', maxLength: 320 }) }),
  data: Type.Null(),
})

export const stopViewing = operation({
  name: STOP_VIEWING,
  token: null,
  summary: 'Stop viewing the portal as a contact',
  access: { kind: 'signed-in' },
  writes: true,
  audit: act('Stopped viewing the portal', 'stop viewing the portal as a contact', 'as'),
  data: Type.Null(),
})
