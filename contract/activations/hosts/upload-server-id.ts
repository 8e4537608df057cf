import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { UploadedFile } from '#contract/kit/upload.ts'
import { MAX_LICENSE_FILE } from '#domain/activations/license-files/license-limits.ts'

export const uploadServerId = operation({
  name: 'uploadserverid',
  summary: 'Reads the license server from a license file; nothing is stored',
  access: { kind: 'account', action: 'activations.write', customerNumberIn: 'body' },
  token: 'activations',
  writes: false,
  refusals: ['NOT_A_LICENSE_FILE'],
  upload: { maxBytes: MAX_LICENSE_FILE },
  body: requestFields({ customerNumber: CustomerNumber, file: UploadedFile }),
  data: Type.Object({
    serverName: Type.String({ description: 'Three names joined by commas for a triad' }),
    serverId: Type.String(),
    serverIdType: Type.String(),
    quorum: Type.Boolean(),
    numServers: Type.Integer(),
    portNumber: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if the file names none' }),
  }),
})
