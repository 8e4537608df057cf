import { type Block, parseMarkdown, plainText } from '#web/app/guide/guide-markdown.ts'
import type { PaletteEntry } from '#web/app/palette/palette-entries.ts'
import { SCREENS } from '#web/app/screens/screens.ts'
import { withHelp } from '#web/ui/help-address.ts'

/** Only code that is loaded later may import this: it has the text of all pages. */
const FILES = import.meta.glob<string>('../../../docs/guide/*.md', { query: '?raw', import: 'default', eager: true })

type GuidePage = { readonly name: string; readonly title: string; readonly blocks: readonly Block[] }

/** The list of all pages, in their order. */
export const INDEX = 'index'

export const GUIDE: ReadonlyMap<string, GuidePage> = new Map(
  Object.entries(FILES).map(([path, source]) => {
    const [title, ...blocks] = parseMarkdown(source)
    const name = pageName(path)
    return [name, { name, title: title?.kind === 'heading' ? plainText(title.text) : name, blocks }]
  }),
)

/** The name in the address of a page, which is a file: "home.md". */
export function pageName(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/\.md$/, '')
}

/** Two variants of one screen have one page. */
const VARIANTS: Readonly<Record<string, string>> = { f1202990: 'web-assignments' }

/** The page for the screen at a path, or for the list that it belongs to; the index where there is none. */
export function pageOfScreen(path: string, menuPath: string | undefined): string {
  const parts = path.replace(/^\//, '').split('/')
  const [first = ''] = parts
  // A screen of one thing may have another below it: license-servers/:id/options.
  return [`${first}-${parts[2]}`, VARIANTS[first] ?? first, menuPath ?? ''].find((name) => GUIDE.has(name)) ?? INDEX
}

/** The pages whose text has every typed word; those whose title has them come first. They open above the screen at this address. */
export function guideEntries(typed: string, address: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return [...GUIDE.values()]
    .filter((page) => page.name !== INDEX && has(`help guide ${page.title} ${textOf(page)}`))
    .toSorted((one, other) => Number(has(other.title)) - Number(has(one.title)))
    .map(({ name, title }) => ({
      key: `guide ${name}`,
      label: `Help: ${title}`,
      detail: 'Guide',
      screen: SCREENS.find(({ path }) => path === name)?.path ?? 'home',
      to: withHelp(address, name),
    }))
}

const textOf = ({ blocks }: GuidePage): string =>
  blocks
    .map((block) => (block.kind === 'list' ? block.items.map(plainText).join(' ') : plainText(block.text)))
    .join(' ')
