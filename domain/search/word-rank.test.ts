import { expect, test } from 'vitest'
import { INSIDE_WORDS, WHOLE_WORDS, WORD_BEGINNINGS, wordRank } from '#domain/search/word-rank.ts'

test.each([
  ['Activate products', 'activate', WHOLE_WORDS],
  ['Activate products', 'ACT prod', WORD_BEGINNINGS],
  ['Activate products', 'products activate', WHOLE_WORDS],
  ['Activate products', 'activate prod', WORD_BEGINNINGS],
  ['Deactivate a license server', 'activate', INSIDE_WORDS],
  ['Deactivate a license server', 'deact', WORD_BEGINNINGS],
  ['Renew licenses', 'licence', WORD_BEGINNINGS],
  ['Renew licenses', 'renew servers', undefined],
  ['Renew licenses', '', WHOLE_WORDS],
  ['', 'renew', undefined],
])('the rank of "%s" for "%s" is %s', (text, typed, rank) => {
  expect(wordRank(text, typed)).toBe(rank)
})
