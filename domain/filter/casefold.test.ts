import { expect, test } from 'vitest'
import { casefold, caseVariants } from '#domain/filter/casefold.ts'

test.each([
  ['Mechanical ENTERPRISE', 'mechanical enterprise'],
  ['MÜLLER Straße', 'müller straße'],
  ['STRAẞE', 'straße'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'οδοσ'],
  ['µm', 'μm'],
  ['ЖУК', 'жук'],
  ['ＡＢＣ', 'ａｂｃ'],
  ['ǅ Ǆ ǆ', 'ǆ ǆ ǆ'],
  ['100-αΒ% _\\', '100-αβ% _\\'],
])('%s folds to %s', (text, folded) => {
  expect(casefold(text)).toBe(folded)
})

test.each([
  ['İstanbul', 'İstanbul'],
  ['ı', 'ı'],
  ['ﬁ', 'ﬁ'],
  ['語 😀 \u{10400}', '語 😀 \u{10400}'],
])('%s has no folding of one character to one, and stays %s', (text, folded) => {
  expect(casefold(text)).toBe(folded)
})

test('every character folds to one character, folding twice changes nothing, and only A–Z become ASCII', () => {
  const isSound = (character: string) => {
    const folded = casefold(character)
    if (folded === character) return true
    const isAsciiLetter = /^[A-Z]$/.test(character)
    return folded.length === 1 && casefold(folded) === folded && isAsciiLetter === folded <= '\x7f'
  }
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  expect(characters.filter((character) => !isSound(character))).toEqual([])
})

test('lists all characters that fold to a character', () => {
  expect(caseVariants('ü')).toBe('Ü')
  expect(caseVariants('ß')).toBe('ẞ')
  expect([...caseVariants('σ')].sort()).toEqual(['Σ', 'ς'])
  expect([...caseVariants('μ')].sort()).toEqual(['µ', 'Μ'])
  expect(caseVariants('7')).toBe('')
})
