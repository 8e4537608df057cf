import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeSettings, SETTINGS_FILE } from './settings.ts'

test('docs/settings.md is made of server/config/settings.ts: after a change run "node scripts/settings.ts"', () => {
  expect(readFileSync(SETTINGS_FILE, 'utf8')).toBe(makeSettings())
})
