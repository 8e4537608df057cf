import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { SERVICE_SCOPES, type ServiceScope } from '#domain/access/roles.ts'

export const whoami = operation({
  name: 'service/whoami',
  method: 'GET',
  path: '/service/v1/whoami',
  summary: 'Name, scopes and expiry of the service key that is sent',
  access: { kind: 'service' },
  token: null,
  writes: false,
  takesTurns: false,
  data: Type.Object({
    name: Type.String({ examples: ['ERP system'] }),
    scopes: Type.Array(Type.Unsafe<ServiceScope>({ type: 'string', enum: SERVICE_SCOPES })),
    expires: Type.String({ format: 'date-time', description: 'From then on the key is refused.' }),
  }),
})
