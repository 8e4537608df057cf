import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'

export const getUserDetails = operation({
  name: 'getUserDetails',
  summary: 'Who is signed in',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  takesTurns: false,
  data: Type.Object({
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    viewedBy: Type.Union([Type.String(), Type.Null()], {
      description: 'The member of staff who views the portal as this person, read-only; null unless somebody does',
    }),
    roles: Type.Array(Type.String(), { description: 'user, then staff roles, then asc, portaledit, portalview' }),
  }),
})
