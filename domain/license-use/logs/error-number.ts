/** FlexNet ends what went wrong with its error number, such as `(-4,342)`. */
export type ErrorNumber = { readonly code: number; readonly index: number }

const NUMBER = /-?\d{1,9},/y

/** The error number at the end of a text, and where its bracket opens. */
export function errorNumberAtEnd(text: string): ErrorNumber | null {
  const end = text.trimEnd().length - 1
  if (text[end] !== ')') return null
  const after = text.lastIndexOf(')', end - 1)
  for (let index = text.lastIndexOf('(', end); index > after; index = text.lastIndexOf('(', index - 1)) {
    NUMBER.lastIndex = index + 1
    if (NUMBER.test(text)) return { code: Number.parseInt(text.slice(index + 1), 10), index }
    if (index === 0) break
  }
  return null
}
