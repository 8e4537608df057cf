import { describe, expect, test } from 'vitest'
import {
  DOMAIN_FREE,
  DOMAIN_REQUIRED,
  DOMAIN_WRONG,
  domainError,
  domainOf,
  readDomain,
} from '#domain/sign-in-providers/domain-name.ts'

const FREE = new Set(['gmail.com'])

describe('a domain', () => {
  test.each([
    ['aerodyne.example', 'aerodyne.example'],
    [' @AeroDyne.Example. ', 'aerodyne.example'],
    ['a.b-c.d1.example', 'a.b-c.d1.example'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['company.xn--p1ai', 'company.xn--p1ai'],
  ])('%j is kept as %s', (text, domain) => {
    expect(readDomain(text)).toBe(domain)
    expect(domainError(text, FREE)).toBeUndefined()
  })

  test.each([
    ['', DOMAIN_REQUIRED],
    ['  ', DOMAIN_REQUIRED],
    ['example', DOMAIN_WRONG],
    ['a..example', DOMAIN_WRONG],
    ['-a.example', DOMAIN_WRONG],
    ['a-.example', DOMAIN_WRONG],
    ['192.0.2.7', DOMAIN_WRONG],
    ['https://a.example', DOMAIN_WRONG],
    ['ann@a.example', DOMAIN_WRONG],
    ['*.example.com', DOMAIN_WRONG],
    ['mün.example', DOMAIN_WRONG],
    ['\u212a.example', DOMAIN_WRONG],
    [`${'a'.repeat(64)}.example`, DOMAIN_WRONG],
    [`${'a.'.repeat(130)}example`, DOMAIN_WRONG],
    ['GMail.com', DOMAIN_FREE],
  ])('%j is refused: %s', (text, error) => {
    expect(domainError(text, FREE)).toBe(error)
  })
})

test('the domain of an address is what follows the last @', () => {
  expect(domainOf('ada@aerodyne.example')).toBe('aerodyne.example')
})
