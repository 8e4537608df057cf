import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('no style sheet composes a class of another file: the build would copy its rules and warn', () => {
  const sheets = globSync('web/**/*.css')
  expect(sheets.length).toBeGreaterThan(20)
  expect(sheets.filter((file) => /composes:[^;]*\bfrom\s+["']/.test(readFileSync(file, 'utf8')))).toEqual([])
})
