import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const MANTINE = path.resolve('node_modules/@mantine')
const STYLES = path.join(MANTINE, 'core/styles')
/** Not of one component. */
const GENERAL = ['baseline', 'global']

const IMPORT = /^import (?:([\w$]+)|\{([^}]*)\}) from ["']([^"']+)["']/gm

test('mantine.css has the styles of every Mantine component that the portal renders, and no others', () => {
  const sheet = fs.readFileSync('web/ui/theme/mantine.css', 'utf8')
  const imported = [...sheet.matchAll(/@mantine\/core\/styles\/([\w-]+)\.layer\.css/g)].map(([, name]) => name)
  expect(imported.toSorted()).toEqual([...GENERAL, ...usedStyles()].toSorted())
})

/** Follows the imports from our files through Mantine's packages, as a bundler does. */
function usedStyles(): string[] {
  const visited = new Set<string>()
  const styles = new Set<string>()
  const visit = (file: string) => {
    if (visited.has(file)) return
    visited.add(file)
    const style = /(\w+)\.module\.mjs$/.exec(file)?.[1]
    if (style && fs.existsSync(path.join(STYLES, `${style}.layer.css`))) styles.add(style)
    for (const [, whole, names, from] of fs.readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (from?.startsWith('.') && file.startsWith(MANTINE)) visit(path.join(path.dirname(file), from))
      const index = from && /^@mantine\/\w+$/.test(from) && path.join(MANTINE, path.basename(from), 'esm/index.mjs')
      if (!index) continue
      const parts = exportsOf(index)
      for (const name of [whole, ...(names ?? '').split(',')]) {
        const found = parts.get(name?.trim().split(' ')[0] ?? '')
        if (found) visit(found)
      }
    }
  }
  for (const file of ourFiles()) visit(file)
  return [...styles]
}

function ourFiles(): string[] {
  return fs
    .readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => path.join('web', file))
}

const indexes = new Map<string, Map<string, string>>()

/** The file of each name that a package exports. */
function exportsOf(index: string): Map<string, string> {
  const known = indexes.get(index)
  if (known) return known
  const found = new Map<string, string>()
  for (const [, whole, names, from] of fs.readFileSync(index, 'utf8').matchAll(IMPORT))
    for (const name of whole ? [whole] : (names ?? '').split(','))
      if (from?.startsWith('.')) found.set(name.trim(), path.join(path.dirname(index), from))
  indexes.set(index, found)
  return found
}
