import { expect, test } from 'vitest'
import { plainText } from '#web/app/guide/guide-markdown.ts'
import { GUIDE, guideEntries, INDEX, pageName, pageOfScreen } from '#web/app/guide/guide-pages.ts'
import { SCREENS } from '#web/app/screens/screens.ts'

const pages = [...GUIDE.values()].filter(({ name }) => name !== INDEX)
const menuPaths = SCREENS.filter(({ parent }) => !parent).map(({ path }) => path)

test.each(menuPaths)('the screen %s has a page of its own', (path) => {
  expect(pageOfScreen(`/${path}`, undefined)).not.toBe(INDEX)
})

test.each([
  ['/license-servers/00aa', 'activations-history', 'license-servers'],
  ['/license-servers/00aa/options', 'activations-history', 'license-servers-options'],
  ['/emails/5', 'emails', 'emails'],
  ['/notification-details/5', 'notifications', 'notifications'],
  ['/f1202990', 'f1202990', 'web-assignments'],
  ['/nopermissions', undefined, INDEX],
])('help at %s is the page %s', (path, menuPath, name) => {
  expect(pageOfScreen(path, menuPath)).toBe(name)
})

test.each(pages)('the page $name says what it is for, three usual tasks and the words', ({ blocks }) => {
  const headings = blocks.filter(({ kind }) => kind === 'heading')
  expect(headings.map((block) => 'text' in block && plainText(block.text))).toEqual([
    'What it is for',
    'Usual tasks',
    'Words',
  ])
  const lists = blocks.flatMap((block) => (block.kind === 'list' ? [block] : []))
  expect(lists.map(({ isNumbered, items }) => [isNumbered, items.length])).toEqual([
    [true, 3],
    [false, 3],
  ])
})

test.each([...GUIDE.values()])('links of the page $name lead to pages that exist', ({ blocks }) => {
  const texts = blocks.flatMap((block) => (block.kind === 'list' ? block.items : [block.text]))
  for (const part of texts.flat()) if (part.kind === 'link') expect(GUIDE.has(pageName(part.to))).toBe(true)
})

test('the index lists every page', () => {
  const links = GUIDE.get(INDEX)?.blocks.flatMap((block) => (block.kind === 'list' ? block.items.flat() : []))
  expect(links?.flatMap((part) => (part.kind === 'link' ? [pageName(part.to)] : [])).sort()).toEqual(
    pages.map(({ name }) => name).sort(),
  )
})

const SOURCES = import.meta.glob<string>(['../../../{web,domain,contract}/**/*.{ts,tsx}', '!../../../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const source = Object.values(SOURCES).join('\n').replace(/\s+/g, ' ')

/** As a whole word: "Add" is not in "Address". */
const isInPortal = (label: string) =>
  [label, label.replaceAll('&', '&amp;')].some((one) =>
    new RegExp(`(?<!\\w)${one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`).test(source),
  )

test.each(pages)('screens and buttons in bold on the page $name are in the portal', ({ blocks }) => {
  const [tasks] = blocks.flatMap((block) => (block.kind === 'list' && block.isNumbered ? [block.items.flat()] : []))
  const labels = tasks?.flatMap((part) => (part.kind === 'bold' ? [part.text] : [])) ?? []
  expect(labels.filter((label) => !isInPortal(label))).toEqual([])
})

test('the palette finds pages by their words, those with a fitting title first', () => {
  const found = guideEntries('chargeback', '/home?customer=1')
  expect(found[0]).toMatchObject({ label: 'Help: Elastic Statements', to: '/home?customer=1&help=statementv2' })
  expect(guideEntries('denials', '/home')[0]?.label).toBe('Help: Denials')
  expect(guideEntries('', '/home')).toEqual([])
  expect(guideEntries('xyzzy', '/home')).toEqual([])
})
