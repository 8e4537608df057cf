import { Type } from 'typebox'

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
