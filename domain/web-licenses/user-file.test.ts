import { describe, expect, test } from 'vitest'
import { MAX_USER_LINES, readUserFile, USER_FILE_EXAMPLE } from '#domain/web-licenses/user-file.ts'

const ANN = { email: 'ann@company.com', name: 'Ann Lee', groups: ['Design', 'Test'] }

describe('readUserFile', () => {
  test.each([
    ['the example', USER_FILE_EXAMPLE.replace('ann.lee', 'ann'), [{ line: 2, ...ANN }]],
    ['a file without a first line', 'ann@company.com,Ann Lee,Design | Test', [{ line: 1, ...ANN }]],
    ['columns in another order', 'Groups;Email;Name\nDesign|Test;ann@company.com;Ann Lee', [{ line: 2, ...ANN }]],
    ['emails alone', 'bob@company.com\n\n', [{ line: 1, email: 'bob@company.com', name: '', groups: [] }]],
    [
      'further columns',
      'email,city\nbob@company.com,Ulm',
      [{ line: 2, email: 'bob@company.com', name: '', groups: [] }],
    ],
  ])('reads %s', (_name, text, users) => {
    expect(readUserFile(text)).toEqual({ users })
  })

  test.each([
    ['an empty file', ' \n', 'The file is empty.'],
    ['a file without users', 'email,name', 'The file has no users.'],
    ['another file', 'product,count\nx,1', 'The file has no column "email". The columns are email, name and groups.'],
    [
      'too many users',
      'a@b.com\n'.repeat(MAX_USER_LINES + 1),
      'The file has 5001 users. Import 5000 at most at a time.',
    ],
  ])('refuses %s', (_name, text, problem) => {
    expect(readUserFile(text)).toEqual({ problem })
  })
})
