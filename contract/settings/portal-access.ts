import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, exactly, requestFields } from '#contract/kit/schema.ts'
import { difference, some } from '#domain/audit/words.ts'
import { rolesIn } from '#domain/settings/audit-words.ts'

const LastSignIn = Type.Union([Type.String(), Type.Null()], {
  description: 'When this person signed in last; null if never, which means that the invitation is pending',
})

/** Loose on purpose: errors in a row are answered with the texts of the form, not with those of the schema. */
const ContactDraft = exactly({
  email: Type.String({ maxLength: 320 }),
  role: Type.String({ maxLength: 100 }),
  lastSignIn: Type.Optional(
    Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
      description: 'Ignored: a list may be sent back as getportalaccess answered it',
    }),
  ),
  isManaged: Type.Optional(Type.Boolean({ description: 'Ignored, as lastSignIn is' })),
})
const ContactItem = Type.Object({ email: Type.String(), role: Type.String() })

/** An identity provider may send thousands. */
const MAX_CONTACTS = 10_000

export const getPortalAccess = operation({
  name: 'getportalaccess',
  summary: 'Contacts of an account and their roles',
  access: { kind: 'account', action: 'contacts.read', customerNumberIn: 'body' },
  token: 'access',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber }),
  data: Type.Array(
    Type.Object({
      email: Type.String(),
      role: Type.String(),
      lastSignIn: LastSignIn,
      isManaged: Type.Boolean({ description: 'A group of the identity provider gives the role' }),
    }),
  ),
})

/** 409 if somebody else has saved in the meantime, with `data` = {current, yours}. */
export const setPortalAccess = operation({
  name: 'setportalaccess',
  freshSignIn: true,
  summary: 'Save the contacts of an account; oldContacts is the list that the change started from',
  access: { kind: 'account', action: 'contacts.write', customerNumberIn: 'body' },
  token: 'access',
  writes: true,
  audit: {
    what: 'change who has access',
    done: ({ before, after }) => {
      const [were, are] = [rolesIn(before), rolesIn(after)]
      const changed = [...are].filter(([who, is]) => were.has(who) && were.get(who) !== is).map(([who]) => who)
      const roles = changed.length > 0 ? `, changed the role of ${some(changed)}` : ''
      return `Changed who has access${difference([...were.keys()], [...are.keys()])}${roles}`
    },
  },
  refusals: ['LAST_ADMINISTRATOR', 'MANAGED_BY_SCIM', 'TOO_MANY_EMAILS'],
  takesTurns: true,
  bodyLimit: 4 * 1024 * 1024,
  body: requestFields({
    customerNumber: CustomerNumber,
    newContacts: Type.Array(ContactDraft, { maxItems: MAX_CONTACTS }),
    oldContacts: Type.Array(ContactDraft, { maxItems: MAX_CONTACTS }),
  }),
  data: Type.Array(ContactItem),
})
