import { Type } from 'typebox'

const MEBIBYTE = 1024 * 1024

/** The largest license file that a host is read from. */
export const MAX_LICENSE_FILE = MEBIBYTE
/** The largest that is verified: files of our own can be longer. */
export const MAX_VERIFIED_FILE = 8 * MEBIBYTE

/** A file in a multipart form. The server reads it into memory, so `Upload.maxBytes` keeps it small. */
export const UploadedFile = Type.Unsafe<Uint8Array>({
  description: 'The content of the file',
  type: 'object',
})

/** The body of the operation is a multipart form. */
export type Upload = {
  /** A longer file is refused with 413 before it is read to its end. */
  readonly maxBytes: number
}
