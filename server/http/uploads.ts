import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Upload } from '#contract/kit/upload.ts'
import { HttpError } from '#server/http/http-error.ts'
import { stopReading } from '#server/http/unread-body.ts'

/** Limits of a form, apart from its file: a few short fields. */
const LIMITS = { fields: 10, fieldNameSize: 100, fieldSize: 1000, files: 1, parts: 11, headerPairs: 20 }
/** Bytes for boundaries, headers and fields of the form. */
const FORM_OVERHEAD = 64 * 1024

/** Lets the routes of this scope take multipart forms, and nothing else. */
export async function acceptUploads(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  // The length of the file is counted in `readFile`: the library would read the rest of a file that is too long.
  await app.register(multipart, { throwFileSizeLimit: false, limits: { ...LIMITS, fileSize: Number.MAX_SAFE_INTEGER } })
}

/** Reads the form into the body: texts as they are, the file as bytes. Stops at the first byte that is too much. */
export async function readUpload(request: FastifyRequest, reply: FastifyReply, { maxBytes }: Upload): Promise<void> {
  if (!request.isMultipart()) throw new HttpError(400, 'Send the file as multipart/form-data')
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + FORM_OVERHEAD)
    throw tooLarge(request, reply, maxBytes)
  const body: Record<string, unknown> = {}
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field' && part.valueTruncated)
        throw new HttpError(400, `The field ${part.fieldname} is longer than ${LIMITS.fieldSize} bytes`)
      if (Object.hasOwn(body, part.fieldname)) throw new HttpError(400, `The form has two fields ${part.fieldname}`)
      body[part.fieldname] = part.type === 'field' ? textOf(part.value) : await readFile(part.file, maxBytes)
    }
  } catch (error) {
    if (error instanceof TooLongError) throw tooLarge(request, reply, maxBytes)
    stopReading(request, reply)
    if (error instanceof HttpError || (error as { statusCode?: number }).statusCode) throw error
    throw new HttpError(400, 'The multipart form cannot be read')
  }
  request.body = body
}

class TooLongError extends Error {}

async function readFile(file: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of file) {
    bytes += piece.length
    if (bytes > maxBytes) throw new TooLongError()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** A text that PostgreSQL cannot store is refused, as in JSON. */
function textOf(value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\0'))
    throw new HttpError(400, 'A text contains the character U+0000')
  return value
}

function tooLarge(request: FastifyRequest, reply: FastifyReply, maxBytes: number): HttpError {
  stopReading(request, reply)
  return new HttpError(413, `The file is too large. The limit is ${maxBytes / 1024 / 1024} MB.`)
}
