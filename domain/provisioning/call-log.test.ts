import { expect, test } from 'vitest'
import { keptText, withoutSecrets } from '#domain/provisioning/call-log.ts'

test('a body is kept without its secrets', () => {
  const body = {
    userName: 'ann',
    password: 'p1',
    more: [{ clientSecret: 's1', Password: { value: 'p2' } }],
    Operations: [
      { op: 'replace', path: 'password', value: 'p3' },
      { op: 'replace', value: { password: 'p4', active: false } },
    ],
  }
  const kept = JSON.stringify(withoutSecrets(body))
  for (const secret of ['p1', 's1', 'p2', 'p3', 'p4']) expect(kept).not.toContain(`"${secret}"`)
  expect(kept).toContain('"userName":"ann"')
  expect(kept).toContain('"active":false')
})

test('a long text is cut, and says so', () => {
  expect(keptText('abc', 3)).toEqual({ text: 'abc', isCut: false })
  expect(keptText('abcd', 3)).toEqual({ text: 'abc', isCut: true })
  expect(keptText('', 3)).toEqual({ text: null, isCut: false })
  // Half a character cannot be stored.
  expect(keptText('ab😀', 3).text?.isWellFormed()).toBe(true)
})
