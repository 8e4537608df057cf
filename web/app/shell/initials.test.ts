import { expect, test } from 'vitest'
import { initials, plainName } from '#web/app/shell/initials.ts'

test.each([
  ['Ada', 'Admin', 'AA', 'Ada Admin'],
  ['Greta', 'Generator (External)', 'GG', 'Greta Generator'],
  ['Greta (External)', '(external)', 'G', 'Greta'],
  ['ülo', ' öpik', 'ÜÖ', 'ülo öpik'],
  ['𝒜da', 'Admin', '𝒜A', '𝒜da Admin'],
  ['Ada', '', 'A', 'Ada'],
  ['', '', '', ''],
])('%s %s is %s', (firstName, lastName, letters, name) => {
  expect(initials(firstName, lastName)).toBe(letters)
  expect(plainName(firstName, lastName)).toBe(name)
})
