/** The part of Markdown that the pages of docs/guide use. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly text: readonly Inline[] }
  | { readonly kind: 'list'; readonly isNumbered: boolean; readonly items: readonly (readonly Inline[])[] }

export type Inline =
  | { readonly kind: 'text' | 'bold' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }

const HEADING = /^(#{1,6}) (.+)$/
const ITEM = /^(?:-|(\d+)\.) +/
const IMAGE = /^!\[/

/** Blocks are separated by empty lines, and their lines are joined. Pictures are for paper and are left out. */
export function parseMarkdown(source: string): Block[] {
  return source
    .split(/\r?\n\s*\r?\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '' && !IMAGE.test(block))
    .map(parseBlock)
}

function parseBlock(block: string): Block {
  const [, marks = '', title = ''] = HEADING.exec(block) ?? []
  if (marks) return { kind: 'heading', level: marks.length, text: parseInline(title) }
  const [, number] = ITEM.exec(block) ?? [undefined, undefined]
  if (!ITEM.test(block)) return { kind: 'paragraph', text: parseInline(joined(block)) }
  const items = block.split(/\n(?=(?:-|\d+\.) )/).map((item) => parseInline(joined(item.replace(ITEM, ''))))
  return { kind: 'list', isNumbered: number !== undefined, items }
}

const joined = (lines: string) => lines.split(/\s*\n\s*/).join(' ')

const INLINE = /\*\*(.+?)\*\*|`(.+?)`|\[(.+?)\]\((.+?)\)/g

function parseInline(source: string): Inline[] {
  const parts: Inline[] = []
  let end = 0
  for (const { 0: whole, 1: bold, 2: code, 3: text, 4: to, index } of source.matchAll(INLINE)) {
    if (index > end) parts.push({ kind: 'text', text: source.slice(end, index) })
    if (bold !== undefined) parts.push({ kind: 'bold', text: bold })
    else if (code !== undefined) parts.push({ kind: 'code', text: code })
    else parts.push({ kind: 'link', text: text ?? '', to: to ?? '' })
    end = index + whole.length
  }
  if (end < source.length) parts.push({ kind: 'text', text: source.slice(end) })
  return parts
}

/** The words of a text without its marks. */
export const plainText = (text: readonly Inline[]): string => text.map((part) => part.text).join('')
