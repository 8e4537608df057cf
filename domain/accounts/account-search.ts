/** A parsed search text for an account. */
export type AccountSearch =
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'exact'; readonly number: string; readonly name: string }
  | { readonly kind: 'contains'; readonly text: string }

const MAX = 100

export function parseAccountSearch(typed: string): AccountSearch {
  const text = typed.trim()
  if (text === '') return { kind: 'empty' }
  if (text.length > MAX || /\p{Cc}/u.test(text) || !isBalanced(text)) return { kind: 'invalid' }
  // A number has a digit: a name such as 'Acme (UK)' has the same form and is still searched as a name.
  const exact = /^(?<number>(?=\S*\d)[^\s()]+)\s+\((?<name>.*)\)$/u.exec(text)
  const { number, name } = exact?.groups ?? {}
  if (number && name?.trim()) return { kind: 'exact', number, name: name.trim() }
  return { kind: 'contains', text }
}

/** The text that stands for one account in the search box. Searching for it finds exactly this account. */
export function accountSearchText(account: { number: string; name: string }): string {
  return `${account.number} (${account.name})`
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}
