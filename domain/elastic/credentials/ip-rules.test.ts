import { describe, expect, test } from 'vitest'
import {
  ADDRESS_NOT_VALID,
  ipRuleErrors,
  ipRuleNotes,
  MAX_IP_RULES,
  parseNetwork,
  RULE_NAME_REQUIRED,
  RULE_NAME_TOO_LONG,
  readIpRules,
  sameIpRules,
  TOO_MANY_IP_RULES,
} from '#domain/elastic/credentials/ip-rules.ts'

describe('an address or network in canonical form', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['203.0.113.7/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:ffff::1/33', '2001:db8:8000::/33'],
    ['::/0', '::/0'],
    ['::1', '::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::ffff:192.0.2.1/120', '192.0.2.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::ffff:0:0/95', '::fffe:0:0/95'],
  ])('%j is %s', (text, expected) => {
    expect(parseNetwork(text)).toBe(expected)
  })

  test.each([
    '',
    ' ',
    'localhost',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1.1',
    '192.0.2.01',
    '0x7f.0.0.1',
    '2130706433',
    '192.0.2.1/33',
    '192.0.2.1/-1',
    '192.0.2.1/',
    '192.0.2.1/24/24',
    '192.0.2.1/024',
    '192.0.2.1/1e1',
    '192.0.2.1/255.255.255.0',
    '192.0.2.1 /24',
    '192.0.2.1-192.0.2.9',
    '192.0.2.1:80',
    '2001:db8::1/129',
    '2001:db8::1::2',
    '2001:db8',
    'fe80::1%eth0',
    '[2001:db8::1]',
    '::ffff:192.0.2.256',
  ])('%j is no address or network', (text) => {
    expect(parseNetwork(text)).toBeUndefined()
  })
})

const office = { name: 'Office', address: '192.0.2.0/24' }

test.each([
  [office, {}],
  [{ ...office, name: ' ' }, { name: RULE_NAME_REQUIRED }],
  [{ ...office, name: 'x'.repeat(101) }, { name: RULE_NAME_TOO_LONG }],
  [{ ...office, address: '192.0.2.0/99' }, { address: ADDRESS_NOT_VALID }],
  [
    { name: '', address: '' },
    { name: RULE_NAME_REQUIRED, address: ADDRESS_NOT_VALID },
  ],
])('the row %j says %j', (rule, expected) => {
  expect(ipRuleErrors([rule])).toEqual([expected])
})

test('a rule says which network it applies to if that is not what was typed, and which rule it repeats', () => {
  const rules = [
    office,
    { name: 'VPN', address: '10.1.2.3/8' },
    { name: 'Office again', address: '192.0.2.99/24' },
    { name: 'Cluster', address: '2001:DB8::1' },
    { name: 'Mapped', address: '::ffff:192.0.2.0/120' },
    { name: 'Wrong', address: 'nowhere' },
  ]
  const duplicate = 'Duplicate: the rule "Office" has the same addresses.'
  expect(ipRuleNotes(rules)).toEqual([undefined, 'Applies to 10.0.0.0/8', duplicate, undefined, duplicate, undefined])
})

describe('a list', () => {
  test('is kept as typed, with the network beside it', () => {
    expect(readIpRules([{ name: ' VPN ', address: ' 10.1.2.3/8 ' }, office])).toEqual({
      rules: [
        { name: 'VPN', address: '10.1.2.3/8', network: '10.0.0.0/8' },
        { ...office, network: '192.0.2.0/24' },
      ],
    })
  })

  test('may be empty, and may repeat a network', () => {
    expect(readIpRules([])).toEqual({ rules: [] })
    expect(readIpRules([office, office])).toMatchObject({ rules: [office, office] })
  })

  test('answers its first error', () => {
    expect(readIpRules([office, { name: 'x', address: 'x' }, { name: '', address: '' }])).toEqual({
      error: ADDRESS_NOT_VALID,
    })
    expect(readIpRules(Array.from({ length: MAX_IP_RULES + 1 }, () => office))).toEqual({ error: TOO_MANY_IP_RULES })
  })
})

test.each([
  [[office], [{ name: ' Office', address: '192.0.2.0/24 ' }], true],
  [[office], [{ ...office, address: '192.0.2.1/24' }], false],
  [[office], [], false],
  [[], [], true],
])('%j and %j are the same rules: %s', (one, other, expected) => {
  expect(sameIpRules(one, other)).toBe(expected)
})
