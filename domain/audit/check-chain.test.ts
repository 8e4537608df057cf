import { expect, test } from 'vitest'
import { CHAIN_START } from '#domain/audit/audit-line.ts'
import { type ChainLink, type ChainMark, checkChain, findingText } from '#domain/audit/check-chain.ts'

const link = (sequence: number, more: Partial<ChainLink> = {}): ChainLink => ({
  sequence,
  previousHash: sequence === 1 ? CHAIN_START : `h${sequence - 1}`,
  hash: `h${sequence}`,
  computedHash: more.hash ?? `h${sequence}`,
  ...more,
})
const mark = (sequence: number, hash = `h${sequence}`): ChainMark => ({ sequence, hash, day: '2026-11-01' })

type Case = {
  what: string
  links: ChainLink[]
  marks?: ChainMark[]
  head?: number
  waiting?: (number | undefined)[]
  named?: number
  found: string[]
}

test.each<Case>([
  { what: 'an empty chain', links: [], head: 0, found: [] },
  { what: 'an unbroken chain', links: [link(1), link(2), link(3)], marks: [mark(2)], head: 3, found: [] },
  {
    what: 'a row that says something else',
    links: [link(1), link(2, { computedHash: 'other' }), link(3)],
    found: ['sequence 2: changed'],
  },
  {
    what: 'a row that was changed and sealed again',
    links: [link(1), link(2, { hash: 'other' }), link(3)],
    found: ['sequence 2: changed'],
  },
  {
    what: 'a chain that was rebuilt after a checkpoint',
    links: [link(1), link(2, { hash: 'other' }), link(3, { previousHash: 'other', hash: 'more' })],
    marks: [mark(3)],
    found: ['sequences 1 to 3: changed'],
  },
  {
    what: 'a first row that is not the first',
    links: [link(1, { previousHash: 'x' })],
    found: ['sequence 1: changed'],
  },
  {
    what: 'a row that is gone although its seal is there',
    links: [link(1), link(2, { computedHash: null })],
    found: ['sequence 2: removed'],
  },
  { what: 'a gap', links: [link(1), link(4)], found: ['sequences 2 to 3: removed'] },
  { what: 'an end that is gone', links: [link(1)], head: 3, found: ['sequences 2 to 3: removed'] },
  {
    what: 'an end that a checkpoint knows',
    links: [link(1)],
    marks: [mark(2)],
    head: 1,
    found: ['sequence 2: removed'],
  },
  { what: 'a chain that is gone', links: [], marks: [mark(2)], found: ['sequences 1 to 2: removed'] },
  { what: 'a chain that is gone with its checkpoints', links: [], named: 2, found: ['sequences 1 to 2: removed'] },
  {
    what: 'a chain that was rebuilt between two checkpoints',
    links: [link(1), link(2, { hash: 'other' }), link(3, { previousHash: 'other', hash: 'more' })],
    marks: [mark(1), mark(3)],
    found: ['sequences 2 to 3: changed'],
  },
  {
    what: 'a beginning that the retention removed',
    links: [link(3), link(4, { removedTo: 2 })],
    marks: [mark(2)],
    found: [],
  },
  {
    what: 'a beginning that the retention removed just now',
    links: [link(3), link(4)],
    marks: [mark(2)],
    waiting: [undefined, 2],
    found: [],
  },
  {
    what: 'a beginning that was removed at a checkpoint without a word',
    links: [link(3), link(4, { removedTo: 1 })],
    marks: [mark(2)],
    found: ['sequences 1 to 2: removed'],
  },
  {
    what: 'a beginning that was removed elsewhere',
    links: [link(3)],
    marks: [mark(1)],
    found: ['sequences 1 to 2: removed'],
  },
  {
    what: 'a number that is there twice',
    links: [link(1), link(2), link(2, { hash: 'x' })],
    found: ['sequence 2: inserted'],
  },
  { what: 'rows beyond the end', links: [link(1), link(2), link(3)], head: 1, found: ['sequences 2 to 3: inserted'] },
])('finds $found in $what', ({ links, marks = [], head, waiting, named, found }) => {
  const chain = checkChain(marks)
  const findings = [
    ...links.flatMap((one) => chain.next(one)),
    ...chain.end(head === undefined ? undefined : { sequence: head }, waiting, named),
  ]
  expect(findings.map((one) => findingText('7', one).replace(/ \(.*/, ''))).toEqual(
    found.map((text) => `account 7, ${text}`),
  )
})
