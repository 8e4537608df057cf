import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GUIDE_FILE, makeGuide } from './guide.ts'

test('docs/guide.md is made of docs/guide: after a change run "node scripts/guide.ts"', () => {
  expect(readFileSync(GUIDE_FILE, 'utf8')).toBe(makeGuide())
})
