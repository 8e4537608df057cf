import { Type } from 'typebox'
import { ServerId } from '#contract/activations/hosts/host-fields.ts'
import { operation } from '#contract/kit/operation.ts'
import { PlainLine } from '#contract/kit/plain-text.ts'
import { CustomerNumber, requestFields } from '#contract/kit/schema.ts'
import { UploadedFile } from '#contract/kit/upload.ts'
import type { ObservationResult } from '#contract/license-use/observations.ts'
import { Task } from '#contract/tasks/tasks.ts'
import { act } from '#domain/audit/words.ts'

const MEBIBYTE = 1024 * 1024
export const LOG_UPLOAD = 'license-log-upload'
/** A file is sent in parts of this length, the last one excepted. */
export const UPLOAD_PART = 4 * MEBIBYTE
export const MAX_UPLOAD = 1024 * MEBIBYTE

const access = { kind: 'account', action: 'activations.write', customerNumberIn: 'body' } as const
const UploadId = Type.String({ format: 'uuid', description: 'Chosen by the sender, the same for all parts of a file' })

/** What was read of an upload: the file that its task makes has these fields and more. */
export type ReadReport = Pick<ObservationResult, 'outcome' | 'reason' | 'unreadLines' | 'problems'> & {
  /** Of a debug log: its times, checkouts, and denials that got no seat. */
  readonly firstAt?: string | null
  readonly lastAt?: string | null
  readonly sessions?: number
  readonly denials?: number
}

export const uploadLogPart = operation({
  name: 'license-use/uploads/part',
  summary:
    'Keeps a part of a debug log or lmstat output until the whole file is there; a part that is sent again changes nothing',
  access,
  token: 'license-use',
  writes: true,
  audit: { none: 'Nobody sees a part before license-use/uploads/start, which is logged with name and size.' },
  upload: { maxBytes: UPLOAD_PART },
  body: requestFields({
    customerNumber: CustomerNumber,
    uploadId: UploadId,
    position: Type.String({ pattern: '^[0-9]{1,12}$', description: 'Bytes of the file before this part' }),
    file: UploadedFile,
  }),
  data: Type.Null(),
})

export const startLogUpload = operation({
  name: 'license-use/uploads/start',
  summary: `Reads an uploaded debug log or lmstat output of up to ${MAX_UPLOAD / MEBIBYTE} MB in a background task`,
  access,
  token: 'license-use',
  writes: true,
  // Reads a part of the file.
  takesTurns: true,
  audit: act('Started to read an uploaded log', 'read an uploaded log'),
  refusals: ['NOT_A_LICENSE_LOG', 'EXPORT_SPACE_USED', 'NO_DISK_SPACE', 'TOO_MANY_EXPORTS'],
  body: requestFields({
    customerNumber: CustomerNumber,
    serverId: ServerId,
    uploadId: UploadId,
    fileName: PlainLine(200, { isRequired: true }),
    size: Type.Integer({ minimum: 1, maximum: MAX_UPLOAD }),
  }),
  data: Task,
  extraFields: { reused: Type.Boolean() },
})
