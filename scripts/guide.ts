/** Makes docs/guide.md of the pages in docs/guide, which the portal shows as its help. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DOCS = join(import.meta.dirname, '../docs')
export const GUIDE_FILE = join(DOCS, 'guide.md')

/** The index and then every page that it lists, in its order. */
export function makeGuide(): string {
  const index = pageAt('index')
  const names = [...index.matchAll(/\((\S+)\.md\)/g)].map(([, name = '']) => name)
  const pages = names.map((name) => ({ name, source: pageAt(name) }))
  const anchors = new Map(pages.map(({ name, source }) => [name, anchorOf(titleOf(source))]))
  const linked = (source: string) => source.replace(/\((\S+)\.md\)/g, (_, name) => `(#${anchors.get(name)})`)
  return `${[linked(index), ...pages.map(({ source }) => linked(withPictures(oneLevelDown(source))))]
    .map((part) => part.trim())
    .join('\n\n')}\n`
}

const pageAt = (name: string) => readFileSync(join(DOCS, 'guide', `${name}.md`), 'utf8')
const titleOf = (source: string) => /^# (.+)$/m.exec(source)?.[1] ?? ''
const oneLevelDown = (source: string) => source.replace(/^#/gm, '##')

/** The anchor that GitHub gives a heading. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')

/** Every picture exists in both color schemes. */
const withPictures = (source: string) =>
  source.replace(
    /^!\[(.+)\]\((.+)\)$/gm,
    (_, text, path) => `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="${path}-dark.webp">
  <img src="${path}-light.webp" alt="${text}">
</picture>`,
  )

if (import.meta.main) writeFileSync(GUIDE_FILE, makeGuide())
