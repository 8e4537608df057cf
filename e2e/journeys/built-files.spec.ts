import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

const BUILT = 'dist/web'
const ASSETS = join(BUILT, 'assets')
const IMPORTS = /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g
/**
 * In bytes: the compressed bodies of all scripts that a screen needs before it is drawn, as browsers get them. What is loaded
 * while the browser is idle, or when something is opened, does not count.
 */
const MAX_SCRIPT = 293 * 1024
/** Screens that are a table, without fields that open a list. */
const MAX_TABLE_SCRIPT = 234 * 1024
const TABLE_SCREENS = [
  'alerts',
  'audit',
  'balances',
  'denials',
  'emails',
  'leases',
  'license-use',
  'operations',
  'optimization',
  'usage-transactions',
  'web-transactions',
]
/** The one style sheet, in compressed bytes. */
const MAX_STYLES = 30 * 1024

const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
const imports = new Map(
  scripts.map((name) => [
    name,
    [...readFileSync(join(ASSETS, name), 'utf8').matchAll(IMPORTS)].map(([, imported = '']) => imported),
  ]),
)

test('no built script imports itself through others, because such scripts run in the wrong order', () => {
  expect(scripts.length).toBeGreaterThan(10)
  const cycles: string[] = []
  const finished = new Set<string>()
  const follow = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name].join(' → '))
    if (finished.has(name) || path.includes(name)) return
    for (const next of imports.get(name) ?? []) follow(next, [...path, name])
    finished.add(name)
  }
  for (const name of scripts) follow(name, [])
  expect(cycles).toEqual([])
})

test('no screen needs more script than it may', () => {
  const page = readFileSync(join(BUILT, 'index.html'), 'utf8')
  const first = [...page.matchAll(/src="\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name)
  const screens = scripts.filter((name) => name.includes('.page-'))
  expect(first.length).toBeGreaterThan(0)
  const names = screens.map((screen) => screen.split('.')[0])
  const known = [...TABLE_SCREENS, 'activations', 'activations-history', 'statement']
  expect(names).toEqual(expect.arrayContaining(known))
  const sizes = screens.map((screen) => {
    const max = TABLE_SCREENS.includes(screen.split('.')[0] ?? '') ? MAX_TABLE_SCRIPT : MAX_SCRIPT
    const size = [...withImports([...first, screen])].reduce((sum, name) => sum + sentSize(name), 0)
    return { screen, size, max }
  })
  expect(sizes.filter(({ size, max }) => size > max)).toEqual([])
})

test('the style sheet of all screens is small', () => {
  const sheets = readdirSync(ASSETS).filter((name) => name.endsWith('.css'))
  expect(sheets).toHaveLength(1)
  expect(sentSize(sheets[0] ?? '')).toBeLessThanOrEqual(MAX_STYLES)
})

function withImports(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    withImports(imports.get(name) ?? [], found)
  }
  return found
}

/** Small files are sent as they are. */
function sentSize(name: string): number {
  const file = join(ASSETS, name)
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
}
