import { expect, test } from 'vitest'
import { casefold, caseVariants } from '#domain/kit/filter-casefold.ts'

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
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code)
    const folded = casefold(character)
    expect(folded).toHaveLength(1)
    expect(casefold(folded)).toBe(folded)
    if (folded !== character && folded <= '\x7f') expect(character).toMatch(/^[A-Z]$/)
    if (folded !== character) expect(caseVariants(folded)).toContain(character)
  }
})
