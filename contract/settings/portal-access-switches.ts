import { type Static, Type } from 'typebox'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'
import { plain } from '#domain/audit/words.ts'

const people = (description: string) => Type.Array(Type.String({ maxLength: 320 }), { maxItems: 1000, description })

export const AccountSwitches = exactly({
  isAccessDisabled: Type.Boolean({ description: 'Applies to everyone except staff and FNP license generators' }),
  salesAccess: people('Email addresses of people with sales access'),
  fnpLicenseGenerators: people('Email addresses of the FNP license generators'),
})
export type AccountSwitches = Static<typeof AccountSwitches>

export const getAccountSwitches = operation({
  name: 'getaccountswitches',
  summary: 'Access disabled, sales access and FNP license generators of an account, for business operations',
  access: { kind: 'account', action: 'contacts.switches', customerNumberIn: 'body' },
  token: null,
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: AccountSwitches,
})

/** 409 if somebody else has saved in the meantime, with `data` = {current, yours}. */
export const setAccountSwitches = operation({
  name: 'setaccountswitches',
  freshSignIn: true,
  summary: 'Save the switches of an account; oldSwitches is what the change started from',
  access: { kind: 'account', action: 'contacts.switches', customerNumberIn: 'body' },
  token: null,
  writes: true,
  audit: plain('Changed the switches of the account', 'change the switches of the account'),
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({ customerNumber: CustomerNumber, newSwitches: AccountSwitches, oldSwitches: AccountSwitches }),
  data: AccountSwitches,
})
