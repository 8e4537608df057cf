import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHAPTERS } from '#server/http/accessibility-criteria.ts'
import { LEVELS, readReport } from '#server/http/accessibility-report.ts'

const report = readReport()
const statements = Object.values(report.chapters).flatMap(({ criteria = [] }) =>
  criteria.flatMap(({ num, components }) =>
    components.map(({ name, adherence: { level, notes = '' } }) => {
      const lines = notes.split('\n')
      return {
        where: `${num} ${name}`,
        level,
        remarks: lines.filter((line) => line && !line.startsWith('test: ')),
        tests: lines.filter((line) => line.startsWith('test: ')),
      }
    }),
  ),
)

test('the accessibility report has every criterion of its chapters in order, and remarks on chapters that it leaves out', () => {
  const reported = Object.entries(report.chapters).map(([id, { criteria = [] }]) => [
    id,
    criteria.map(({ num }) => num),
  ])
  expect(reported).toEqual(Object.entries(CHAPTERS).map(([id, { criteria }]) => [id, Object.keys(criteria)]))
  const empty = Object.values(report.chapters).filter(({ criteria }) => !criteria)
  expect(empty.filter(({ notes }) => !notes)).toEqual([])
})

test('WCAG 2.2 has 55 success criteria at the levels A and AA, besides one that it has removed', () => {
  const numbers = (id: string) => Object.keys(CHAPTERS[id]?.criteria ?? {})
  expect(numbers('success_criteria_level_a')).toHaveLength(31 + 1)
  expect(numbers('success_criteria_level_aa')).toHaveLength(24)
})

test('everything that the accessibility report calls supported names tests that exist', () => {
  expect(statements.filter(({ level, tests }) => level === 'supports' && tests.length === 0)).toEqual([])
  const unknown = [...new Set(statements.flatMap(({ tests }) => tests))].filter((line) => !isTest(line))
  expect(unknown).toEqual([])
})

test('everything that the accessibility report does not call supported has a known level and a remark', () => {
  expect(statements.filter(({ level }) => !(level in LEVELS))).toEqual([])
  expect(statements.filter(({ level, remarks }) => level !== 'supports' && remarks.length === 0)).toEqual([])
})

test('the accessibility report is about the version that is built', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(version.split('.').slice(0, 2).join('.')).toBe(report.product.version)
})

/** A title may begin with a name that the test inserts. Tests that are skipped show nothing. */
function isTest(line: string): boolean {
  const [, file = '', title = ''] = /^test: (\S+) › "(.+)"$/.exec(line) ?? []
  if (!title || !existsSync(file)) return false
  const titles = readFileSync(file, 'utf8').matchAll(/\b(?:test|it)(?:\.(?:each|runIf)\(.*\))?\(\s*(['"`])(.*?)\1,/g)
  return [...titles].some(([, , one = '']) => one.endsWith(title))
}
