import { describe, expect, test } from 'vitest'
import { MAX_USER_LINES, readUserFile, USER_FILE_EXAMPLE } from '#domain/web-licenses/user-file.ts'

const read = (text: string, encoding: BufferEncoding = 'utf8') => readUserFile(Buffer.from(text, encoding))
const ANN = { email: 'ann@company.com', name: 'Ann Lee', groups: ['Design', 'Test'], entitlements: [] }
const BOB = { email: 'bob@company.com', name: '', groups: [], entitlements: [] }

describe('reading a file of users', () => {
  test.each([
    [
      'the example',
      USER_FILE_EXAMPLE.replace('ann.lee', 'ann'),
      [{ line: 2, ...ANN, entitlements: ['activation-id-1', 'activation-id-2'] }],
    ],
    [
      'a file from before entitlements',
      'email,name,groups\nann@company.com,Ann Lee,Design|Test',
      [{ line: 2, ...ANN }],
    ],
    [
      'entitlements in a file with semicolons',
      'Email;Entitlements\nbob@company.com;"A-1; A-2;"',
      [{ line: 2, ...BOB, entitlements: ['A-1', 'A-2'] }],
    ],
    [
      'entitlements with vertical bars, as groups have them',
      'email,entitlements\nbob@company.com,A-1|A-2',
      [{ line: 2, ...BOB, entitlements: ['A-1', 'A-2'] }],
    ],
    ['a fourth column without a first line', 'bob@company.com,,,Ulm', [{ line: 1, ...BOB }]],
    ['a file without a first line', 'ann@company.com,Ann Lee,Design | Test', [{ line: 1, ...ANN }]],
    ['columns in another order', 'Groups;Email;Name\nDesign|Test;ann@company.com;Ann Lee', [{ line: 2, ...ANN }]],
    ['a byte order mark and line ends without \\n', '\ufeffemail\rbob@company.com\r', [{ line: 2, ...BOB }]],
    ['emails alone', 'bob@company.com\n\n', [{ line: 1, ...BOB }]],
    ['further columns', 'email,city\nbob@company.com,Ulm', [{ line: 2, ...BOB }]],
  ])('reads %s', (_name, text, users) => {
    expect(read(text)).toEqual({ users })
  })

  test.each([
    ['an empty file', ' \n', 'The file is empty.'],
    ['a file without users', 'email,name', 'The file has no users.'],
    [
      'another file',
      'product,count\nx,1',
      'The file has no column "email". The columns are email, name, groups and entitlements.',
    ],
    [
      'a quote that is not closed',
      'email,name\nann@company.com,"Ann\nbob@company.com,"Bob"',
      'Line 2: a quote opens here and is not closed. Close it or remove it.',
    ],
    [
      'too many users',
      'a@b.com\n'.repeat(MAX_USER_LINES + 1),
      'The file has 5,001 users. Import 5,000 at most at a time.',
    ],
  ])('refuses %s', (_name, text, problem) => {
    expect(read(text)).toEqual({ problem })
  })
  test.each(['latin1', 'utf16le'] as const)('refuses a file in %s', (encoding) => {
    expect(read('email,name\njo@company.com,Jörg', encoding)).toEqual({
      problem:
        'The file is not UTF-8 text. In Excel, save it as "CSV UTF-8 (Comma delimited)". In a text editor, save it with the encoding UTF-8.',
    })
  })

  test.each([
    ['email', `${'x'.repeat(400)},Ann`, 'Column "email": 400 characters. 254 are allowed.'],
    ['name', `ann@company.com,${'x'.repeat(101)}`, 'Column "name": 101 characters. 100 are allowed.'],
    ['group', `ann@company.com,Ann,A|${'x'.repeat(301)}`, 'Column "groups": 301 characters. 100 are allowed.'],
    ['list of groups', `ann@company.com,Ann,${'x|'.repeat(101)}`, 'Column "groups": 101 groups. 100 are allowed.'],
    ['entitlement', `ann@company.com,Ann,,${'x'.repeat(65)}`, 'Column "entitlements": 65 characters. 64 are allowed.'],
    [
      'list of entitlements',
      `ann@company.com,Ann,,${'x;'.repeat(101)}`,
      'Column "entitlements": 101 entitlements. 100 are allowed.',
    ],
    [
      'name of two lines',
      'ann@company.com,"Ann\nbob@company.com,Bob"',
      'Column "name": the cell has a line break. A quote may not be closed.',
    ],
  ])('refuses the line with a wrong %s, and no other', (_name, line, problem) => {
    expect(read(`email,name,groups,entitlements\nbob@company.com\n${line}\n`)).toMatchObject({
      users: [
        { line: 2, email: 'bob@company.com' },
        { line: 3, problem },
      ],
    })
  })
})
