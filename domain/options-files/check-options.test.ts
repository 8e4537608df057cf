import { describe, expect, test } from 'vitest'
import { checkOptions, hasErrors, type OptionsFacts } from '#domain/options-files/check-options.ts'
import { MAX_OPTIONS_TEXT } from '#domain/options-files/options-document.ts'
import type { Reservation } from '#domain/options-files/reservations.ts'

const FACTS: OptionsFacts = {
  features: [
    { feature: 'solver', versions: ['2026.1', '2025.2'], seats: 5 },
    { feature: 'viewer', versions: ['1.0'], seats: null },
  ],
  reservations: [],
  today: '2026-11-19',
}
const shown = (text: string, facts: Partial<OptionsFacts> = {}) =>
  checkOptions(text, { ...FACTS, ...facts }).map(({ line, severity, text: said }) => `${line} ${severity}: ${said}`)

describe('an options file is checked line by line:', () => {
  test.each<[what: string, text: string, problems: string[]]>([
    ['nothing is wrong', 'GROUP g ann\nRESERVE 2 solver GROUP g\nEXCLUDE viewer USER bea\nTIMEOUT solver 3600\n', []],
    ['features in any case', 'MAX 1 Solver USER ann', []],
    ['a version of the license file', 'MAX 1 solver:VERSION=2025.2 USER ann', []],
    [
      'another version',
      'MAX 1 solver:VERSION=2024.1 USER ann',
      ['1 error: The license file has solver in version 2026.1, 2025.2, not 2024.1.'],
    ],
    [
      'an unknown feature',
      '\nMAX 1 slover USER ann\nTIMEOUT mesher 3600',
      [
        '2 error: The license file has no feature slover of this vendor daemon.',
        '3 error: The license file has no feature mesher of this vendor daemon.',
      ],
    ],
    ['an unknown group', 'EXCLUDE solver GROUP g', ['1 error: There is no group g.']],
    [
      'a group in another case',
      'HOST_GROUP Lab pc1\nEXCLUDE solver HOST_GROUP lab',
      ['2 error: There is no host group lab. Names of groups are case sensitive: the file has Lab.'],
    ],
    [
      'a group in another case, where that does not matter',
      'GROUPCASEINSENSITIVE ON\nGROUP G a\nMAX 1 solver GROUP g',
      [],
    ],
    [
      'a rule that cannot be read',
      'RESERVE two solver USER ann\nINCLUDEALL ann',
      [
        '1 error: RESERVE needs a whole number above 0, a feature, a type such as GROUP, and a name.',
        '2 error: INCLUDEALL needs a type such as GROUP, and a name.',
      ],
    ],
    [
      'an unknown keyword',
      'RESERV 1 solver USER ann\nUSERCASEINSENSITIVE ON',
      ['1 warning: RESERV is no known keyword. The line is kept as it is.'],
    ],
    ['surplus words', 'EXCLUDE solver USER ann smith', ['1 warning: Vendor daemons ignore what follows ann: smith.']],
    [
      'more reservations than seats',
      'RESERVE 3 solver USER ann\nRESERVE 3 solver HOST pc1',
      [
        '2 error: There are 5 seats of solver. With the lines above, 6 would be reserved. Vendor daemons ignore what is beyond.',
      ],
    ],
    ['as many reservations as seats', 'RESERVE 3 solver USER ann\nRESERVE 2 solver HOST pc1', []],
    [
      'a limit above the total',
      'MAX 6 solver USER ann',
      ['1 warning: This limit has no effect: there are 5 seats of solver.'],
    ],
    [
      'a user whom EXCLUDE shadows',
      'GROUP g ann bea\nEXCLUDE solver USER ann\nRESERVE 1 solver GROUP g',
      ['3 warning: ann is excluded by line 2, and EXCLUDE comes first.'],
    ],
    [
      'a group that is excluded from everything',
      'GROUP g a b c d e\nEXCLUDEALL GROUP g\nMAX 1 solver GROUP g',
      ['3 warning: a, b, c and 2 more are excluded by line 2, and EXCLUDE comes first.'],
    ],
    ['somebody who is excluded from another feature', 'EXCLUDE viewer USER ann\nMAX 1 solver USER ann', []],
    [
      'an INCLUDE that shuts out everyone else, once per feature',
      'INCLUDE solver USER ann\nINCLUDE solver USER bea\nINCLUDEALL USER ann',
      [
        '1 warning: From here on, only those in INCLUDE lines of solver can use solver. Everybody else is shut out.',
        '3 warning: From here on, only those in INCLUDEALL lines can use any feature. Everybody else is shut out.',
      ],
    ],
    [
      'timeouts',
      'TIMEOUT solver 60\nTIMEOUTALL soon',
      [
        '1 warning: Most vendor daemons raise a timeout below 900 seconds to their own minimum.',
        '2 error: TIMEOUTALL needs a whole number.',
      ],
    ],
    ['a group without members', 'GROUP g', ['1 warning: Group g has no members.']],
    ['a control character', 'MAX 1 solver USER a\u0007', ['1 error: This line has a control character.']],
    ['a line without an end', `# ${'x'.repeat(5000)}`, ['1 error: This line has more than 4,096 characters.']],
    [
      'a continued rule, by its first line',
      '# c\nMAX 9 \\\n solver \\\n USER ann',
      ['2 warning: This limit has no effect: there are 5 seats of solver.'],
    ],
  ])('%s', (_, text, problems) => {
    expect(shown(text)).toEqual(problems)
  })

  test('features are not checked if nobody knows what the daemon serves', () => {
    expect(shown('MAX 1 anything USER ann', { features: [] })).toEqual([])
  })

  test('reservations of the calendar must fit', () => {
    const reservation: Reservation = {
      feature: 'solver',
      group: 'g',
      seats: 3,
      from: '2026-12-01',
      to: '2026-12-31',
      weekdays: [1],
    }
    expect(shown('GROUP g ann\nRESERVE 3 solver USER bea', { reservations: [reservation] })).toEqual([
      'null error: On 2026-12-07, the calendar and the RESERVE lines would reserve 6 of 5 seats of solver.',
    ])
    expect(shown('GROUP h ann', { reservations: [reservation] })).toEqual([
      'null error: The calendar has reservations of group g, which the file does not have.',
    ])
    expect(shown('GROUP g ann\nRESERVE 2 solver USER bea', { reservations: [reservation] })).toEqual([])
    const reservations = [reservation, { ...reservation, from: '2027-01-04', to: '2027-01-04' }]
    expect(shown('GROUP g ann bea\nEXCLUDE viewer GROUP g\nEXCLUDE Solver USER bea', { reservations })).toEqual([
      '3 warning: The calendar reserves seats of solver for group g, but bea is excluded here.',
    ])
  })

  test('a file that is too large is not read at all', () => {
    const problems = checkOptions('x'.repeat(MAX_OPTIONS_TEXT + 1), FACTS)
    expect(problems).toHaveLength(1)
    expect(hasErrors(problems)).toBe(true)
  })

  test('large groups that are excluded again and again are checked in bounded time', () => {
    const group = (name: string, letter: string) =>
      Array.from({ length: 1200 }, (_, index) => `GROUP ${name} ${letter}${2 * index} ${letter}${2 * index + 1}`)
    const lines = Array.from(
      { length: 2400 },
      (_, index) => `${index % 2 ? 'EXCLUDE' : 'MAX 1'} solver GROUP g${index % 2}`,
    )
    const text = [...group('g0', 'u'), ...group('g1', 'v'), ...lines].join('\n')
    expect(shown(text)).toEqual([
      'null warning: The groups are so large that not every line was compared with the EXCLUDE lines.',
    ])
  })
})
