export type PlainTextForm = 'line' | 'lines'

/**
 * Text that people type and others read (names, reasons, descriptions) as it is kept: without blanks around it, without
 * control characters, and without characters that change the direction of what follows. A line stays one line.
 */
export function toPlainText(text: string, form: PlainTextForm): string {
  const readable = text.replace(/\p{Bidi_Control}/gu, '')
  if (form === 'line') return readable.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return readable
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim()
}
