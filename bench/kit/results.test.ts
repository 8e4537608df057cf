import { expect, test } from 'vitest'
import { mergedResults } from '#bench/kit/results.ts'

const BEFORE = '# Old head\n\n## Export\n\nold\n\n## Tables in the browser\n\nkept\n'

test('the full run replaces its own sections and keeps those of other benchmarks', () => {
  const after = mergedResults(BEFORE, {
    head: '# New head',
    sections: [
      ['Export', 'new'],
      ['Booking of usage', 'first'],
    ],
  })
  expect(after).toBe(
    '# New head\n\n## Export\n\nnew\n\n## Tables in the browser\n\nkept\n\n## Booking of usage\n\nfirst\n',
  )
})

test('a single section replaces only itself', () => {
  expect(mergedResults(BEFORE, { sections: [['Tables in the browser', 'new']] })).toBe(
    '# Old head\n\n## Export\n\nold\n\n## Tables in the browser\n\nnew\n',
  )
})
