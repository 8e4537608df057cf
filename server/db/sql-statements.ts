/** A piece of SQL text. A word is in lower case unless it was quoted, and a text is whatever stands between quotes. */
type SqlToken = { readonly kind: 'blank' | 'word' | 'text' | 'mark'; readonly text: string; readonly end: number }

const BLANK = /\s+/y
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy
const NUMBER = /\p{N}[\p{L}\p{N}_.]*/uy
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy

/**
 * The single statements of a text, as PostgreSQL reads it with standard_conforming_strings. SQL function bodies without
 * quotes (begin atomic) are not known.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let start = 0
  let isEmpty = true
  const end = (at: number) => {
    if (!isEmpty) statements.push(text.slice(start, at).trim())
    isEmpty = true
  }
  for (const token of tokensOf(text)) {
    if (token.text === ';' && token.kind === 'mark') {
      end(token.end - 1)
      start = token.end
    } else if (token.kind !== 'blank') isEmpty = false
  }
  end(text.length)
  return statements
}

/** The words and marks of a statement, without comments. What stands between quotes is left out, unless it is a name. */
export const wordsOf = (statement: string): string[] =>
  [...tokensOf(statement)].filter(({ kind }) => kind === 'word' || kind === 'mark').map(({ text }) => text)

function* tokensOf(text: string): Generator<SqlToken> {
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at)
    yield token
    at = token.end
  }
}

function tokenAt(text: string, at: number): SqlToken {
  const two = text.slice(at, at + 2)
  if (two === '--') return { kind: 'blank', text: '', end: after(text, '\n', at) }
  if (two === '/*') return { kind: 'blank', text: '', end: endOfComment(text, at) }
  if (two === `e'` || two === `E'`) return { kind: 'text', text: '', end: endOfQuote(text, at + 1, true) }
  if (text[at] === `'`) return { kind: 'text', text: '', end: endOfQuote(text, at, false) }
  if (text[at] === '"') {
    const end = endOfQuote(text, at, false)
    return { kind: 'word', text: text.slice(at + 1, end - 1).replaceAll('""', '"'), end }
  }
  const tag = matchAt(DOLLAR_TAG, text, at)
  if (tag) return { kind: 'text', text: '', end: after(text, tag, at + tag.length) }
  const blank = matchAt(BLANK, text, at)
  if (blank) return { kind: 'blank', text: '', end: at + blank.length }
  const word = matchAt(WORD, text, at) ?? matchAt(NUMBER, text, at)
  if (word) return { kind: 'word', text: word.toLowerCase(), end: at + word.length }
  return { kind: 'mark', text: text[at]!, end: at + 1 }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function after(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from)
  return found === -1 ? text.length : found + wanted.length
}

/** Comments can be nested. */
function endOfComment(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const two = text.slice(at, at + 2)
    if (two === '/*') depth += 1
    if (two === '*/') depth -= 1
    if (two === '/*' || two === '*/') at += 1
    if (depth === 0) return at + 1
  }
  return text.length
}

/** A doubled quote does not end a text, nor does one after a backslash where backslashes count. */
function endOfQuote(text: string, start: number, hasEscapes: boolean): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at += 1) {
    if (hasEscapes && text[at] === '\\') at += 1
    else if (text[at] === quote && text[at + 1] === quote) at += 1
    else if (text[at] === quote) return at + 1
  }
  return text.length
}
