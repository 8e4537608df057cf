import { Type } from 'typebox'
import { CustomerNumber } from '#contract/kit/schema.ts'

/** Who may see and who may change the web licenses of an account. */
export const webRead = { kind: 'account', action: 'web-licenses.read', customerNumberIn: 'body' } as const
export const webWrite = { kind: 'account', action: 'web-licenses.write', customerNumberIn: 'body' } as const

export const webScope = { customerNumber: CustomerNumber }

export const ActivationId = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'The entitlement' })
export const UserEmail = Type.String({
  minLength: 1,
  maxLength: 320,
  description: 'The email address of a web user, in any case',
  examples: ['ann.lee@company.com'],
})
export const GroupId = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'The group' })
