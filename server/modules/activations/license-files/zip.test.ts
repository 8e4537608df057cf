import { expect, test } from 'vitest'
import { createZip } from '#server/modules/activations/license-files/zip.ts'
import { readZip } from '#server/testing/zip.ts'

const NOW = new Date('2026-11-15T10:00:30Z')
const zipped = (...files: readonly (readonly [name: string, text: string])[]) =>
  createZip(
    files.map(([name, text]) => ({ name, content: Buffer.from(text) })),
    NOW,
  )

test('a reader finds every file with its content and checksum', () => {
  const long = 'INCREMENT äöü\n'.repeat(5000)
  expect(readZip(zipped(['a.lic', 'SERVER a\n'], ['b.lic', long], ['empty.lic', '']))).toEqual({
    'a.lic': 'SERVER a\n',
    'b.lic': long,
    'empty.lic': '',
  })
})

test('an archive without files can be read', () => {
  expect(readZip(zipped())).toEqual({})
})

test('names are safe on every file system and occur once', () => {
  const names = Object.keys(readZip(zipped(['a.lic', '1'], ['A.lic', '2'], ['../../etc/b:c.lic', '3'], ['.x', '4'])))
  expect(names).toEqual(['a.lic', '2_A.lic', '__.._etc_b_c.lic', '_x'])
})

test('the bytes are those that Info-ZIP and Python read: a file of six bytes, stored at 10:00:30', () => {
  expect(zipped(['a.lic', 'hello\n']).toString('hex')).toBe(
    [
      '504b0304 0a00 0000 0000 0f50 6f5d 20303a36 06000000 06000000 0500 0000 612e6c6963 68656c6c6f0a',
      '504b0102 0a00 0a00 0000 0000 0f50 6f5d 20303a36 06000000 06000000 0500 0000 0000 0000 0000 00000000 00000000 612e6c6963',
      '504b0506 0000 0000 0100 0100 33000000 29000000 0000',
    ]
      .join('')
      .replaceAll(' ', ''),
  )
})
