import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

const ASSETS = 'dist/web/assets'
const IMPORTS = /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g

test('no built script imports itself through others, because such scripts run in the wrong order', () => {
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
  const imports = new Map(
    scripts.map((name) => [
      name,
      [...readFileSync(join(ASSETS, name), 'utf8').matchAll(IMPORTS)].map(([, imported = '']) => imported),
    ]),
  )
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
