import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'

const MAX = 30

test('no folder of code holds more than 30 files, tests and samples not counted', () => {
  const counts = new Map<string, number>()
  const files = globSync('{domain,contract,server,web,e2e,bench,scripts}/**/*.{ts,tsx,mjs}')
  for (const file of files.filter((one) => !/\.(test|spec|samples)\.tsx?$/.test(one)))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  expect(counts.get('domain/access')).toBeGreaterThan(1)
  expect([...counts].filter(([, count]) => count > MAX)).toEqual([])
})
