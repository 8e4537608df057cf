import { type Static, Type } from 'typebox'
import { ServerId, serverFields } from '#contract/activations/hosts/host-fields.ts'
import { lineResult } from '#contract/kit/answer.ts'
import { BATCH_BODY_LIMIT, operation } from '#contract/kit/operation.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { UploadedFile } from '#contract/kit/upload.ts'
import { emailedText, fileText, generatedText } from '#domain/activations/audit-words.ts'
import { LICENSE_FILE_REASONS } from '#domain/activations/license-files/license-file.ts'
import { MAX_LICENSE_FILE } from '#domain/activations/license-files/license-limits.ts'
import { VERDICTS } from '#domain/activations/license-files/license-verdict.ts'
import { download, plain } from '#domain/audit/words.ts'

const read = { kind: 'account', action: 'activations.read', customerNumberIn: 'body' } as const
const write = { kind: 'account', action: 'activations.write', customerNumberIn: 'body' } as const

const FileId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  examples: ['6f1f6a52-2f0c-4a53-9c0e-6b1d7f6f8f11'],
})
export const LicenseFileName = Type.String({ examples: ['license_100001_3cecef4b7d10.lic'] })
const Borrowed = Type.Optional(
  Type.Boolean({ description: 'The Borrowable setting of the license server; it stays as it is if this is absent' }),
)

export const LicenseFile = Type.Object({
  id: Type.String(),
  licenseFileName: LicenseFileName,
  generatedAt: Type.String(),
  generatedBy: Type.String(),
  reason: Type.Enum([...LICENSE_FILE_REASONS], { description: 'What had changed since the file before' }),
  issuedOn: Type.String({ description: 'The day in ISSUED=' }),
  isShared: Type.Boolean({ description: 'It holds licenses of several customers' }),
  keyId: Type.String({ description: 'The key that signed it' }),
  size: Type.Integer({ description: 'In bytes' }),
})
export type LicenseFile = Static<typeof LicenseFile>

export const Difference = Type.Object({
  entries: Type.Array(
    Type.Object({ kind: Type.Enum(['added', 'removed', 'unchanged']), lines: Type.Array(Type.String()) }),
  ),
  summary: Type.Object({
    added: Type.Integer(),
    removed: Type.Integer(),
    changed: Type.Integer(),
    reissued: Type.Integer(),
    unchanged: Type.Integer(),
  }),
})

export const generateLicense = operation({
  name: 'fulfillments/license',
  summary:
    'Generates and keeps the license file of a license server, over all customers that share it and that the caller manages',
  access: write,
  token: 'activations',
  writes: true,
  audit: { what: 'generate a license file', done: generatedText },
  refusals: ['HOST_BUSY', 'NO_LICENSES', 'NOT_IN_CATALOG', 'EXPORT_DENIED'],
  body: requestFields({ customerNumber: CustomerNumber, ...serverFields, ansysborrowed: Borrowed }),
  data: LicenseFile,
  extraFields: {
    licenseText: Type.Record(Type.String(), Type.String(), { description: 'Text by daemon, of this customer alone' }),
    licenseFileName: LicenseFileName,
  },
})

export const downloadLicense = operation({
  name: 'fulfillments/download',
  summary:
    'The last generated license file of a license server, and for each customer that shares it whether it is in the file',
  access: read,
  token: 'activations',
  writes: false,
  audit: { what: 'download a license file', done: fileText('Downloaded') },
  refusals: ['NO_LICENSE_FILE'],
  body: requestFields({ customerNumber: CustomerNumber, ...serverFields }),
  data: Type.Array(lineResult({ customerNumber: Type.String() })),
  extraFields: { licenseText: Type.String(), licenseFileName: LicenseFileName, file: LicenseFile },
})

/** The account's own support address, or nothing. */
const SupportEmail = Type.Optional(Type.Union([Type.String({ maxLength: 320 }), Type.Null()]))

export const emailLicense = operation({
  name: 'fulfillments/email',
  summary:
    'Sends the last generated license file to the support address of the account, or to the caller with a copy to support',
  access: write,
  token: 'activations',
  writes: true,
  audit: { what: 'email a license file', done: emailedText },
  refusals: ['NO_LICENSE_FILE', 'TOO_MANY_EMAILS'],
  bodyLimit: BATCH_BODY_LIMIT,
  body: requestFields({
    customerNumber: CustomerNumber,
    serverName: serverFields.serverName,
    serverId: ServerId,
    licenseText: Type.Optional(
      Type.Union([Type.String(), Type.Record(Type.String(), Type.String()), Type.Null()], {
        description: 'The portal attaches its own file; a text that differs from it is refused with 409',
      }),
    ),
    supportEmailTo: SupportEmail,
    supportEmailCc: SupportEmail,
  }),
  data: Type.Object({
    id: Type.String({ description: 'The email in the history of the account' }),
    to: Type.Array(Type.String()),
    cc: Type.Array(Type.String()),
    licenseFileName: LicenseFileName,
  }),
})

export const listLicenseFiles = operation({
  name: 'fulfillments/files',
  summary: 'License files that were generated for a license server, the newest first',
  access: read,
  token: 'activations',
  writes: false,
  body: requestFields({ customerNumber: CustomerNumber, serverId: ServerId }),
  data: Type.Array(LicenseFile),
})

export const getLicenseFile = operation({
  name: 'fulfillments/files/text',
  summary: 'One of the license files that were generated',
  access: read,
  token: 'activations',
  writes: false,
  audit: download('the license file'),
  body: requestFields({ customerNumber: CustomerNumber, id: FileId }),
  data: LicenseFile,
  extraFields: { licenseText: Type.String() },
})

export const compareLicenseFiles = operation({
  name: 'fulfillments/files/difference',
  summary: 'What differs between two license files that were generated',
  access: read,
  token: 'activations',
  writes: false,
  audit: plain('Compared two license files', 'compare license files'),
  body: requestFields({ customerNumber: CustomerNumber, before: FileId, after: FileId }),
  data: Difference,
})

export const verifyLicense = operation({
  name: 'licenses/verify',
  summary: 'Tells whether a license file was generated here and is unchanged',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  refusals: ['NOT_A_LICENSE_FILE'],
  upload: { maxBytes: MAX_LICENSE_FILE },
  body: requestFields({ file: UploadedFile }),
  data: Type.Object({
    verdict: Type.Enum([...VERDICTS]),
    explanation: Type.String(),
    blocks: Type.Array(
      Type.Object({
        line: Type.Integer(),
        feature: Type.String(),
        activationId: Type.Union([Type.String(), Type.Null()]),
        outcome: Type.Enum(['valid', 'changed', 'duplicate', 'unsigned', 'unknown key']),
      }),
    ),
    issueDates: Type.Array(Type.String()),
    file: Type.Union(
      [
        Type.Object({
          id: FileId,
          customerNumber: CustomerNumber,
          serverId: ServerId,
          generatedAt: Type.String({ format: 'date-time' }),
          generatedBy: Type.String(),
        }),
        Type.Null(),
      ],
      {
        description: 'The generated file that it is, or that it comes nearest to; null if the caller sees none',
      },
    ),
    changedLines: Type.Array(
      Type.Object({ kind: Type.Enum(['added', 'removed']), line: Type.Integer(), text: Type.String() }),
      { description: 'Lines that differ from that file, the first 100 of them' },
    ),
    changedLineCount: Type.Integer(),
  }),
})
