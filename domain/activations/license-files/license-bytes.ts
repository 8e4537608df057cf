/** First bytes of other kinds of files. */
const SIGNATURES: readonly (readonly [bytes: readonly number[], kind: string])[] = [
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG image'],
  [[0xff, 0xd8, 0xff], 'a JPEG image'],
  [[0x47, 0x49, 0x46, 0x38], 'a GIF image'],
  [[0x49, 0x49, 0x2a, 0x00], 'a TIFF image'],
  [[0x4d, 0x4d, 0x00, 0x2a], 'a TIFF image'],
  [[0x25, 0x50, 0x44, 0x46, 0x2d], 'a PDF document'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an Office document'],
  [[0x1f, 0x8b], 'a compressed archive'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an Office document or a saved email'],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], 'an RTF document'],
  [[0x4d, 0x5a, 0x90], 'a program'],
  [[0x7f, 0x45, 0x4c, 0x46], 'a program'],
]

const BINARY = 'a binary file'

export type DecodedFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'other'; readonly what: string }

/** Decodes a text: UTF-16 if a byte order mark says so, else UTF-8 if it is valid, else Latin-1. */
export function decodeFile(input: Uint8Array | string): DecodedFile {
  const text = typeof input === 'string' ? input : decodedBytes(input)
  const what = typeof input === 'string' ? undefined : signatureOf(input)
  if (what !== undefined) return { kind: 'other', what }
  if (text.includes('\0')) return { kind: 'other', what: BINARY }
  return { kind: 'text', text: text.startsWith('\ufeff') ? text.slice(1) : text }
}

function signatureOf(input: Uint8Array): string | undefined {
  return SIGNATURES.find(([bytes]) => bytes.every((byte, index) => input[index] === byte))?.[1]
}

function decodedBytes(input: Uint8Array): string {
  if (input[0] === 0xff && input[1] === 0xfe) return new TextDecoder('utf-16le').decode(input)
  if (input[0] === 0xfe && input[1] === 0xff) return new TextDecoder('utf-16be').decode(input)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(input)
  } catch {
    return new TextDecoder('latin1').decode(input)
  }
}
