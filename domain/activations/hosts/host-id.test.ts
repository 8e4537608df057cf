import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  displayedHostIdType,
  licenseHostId,
  normalizedHostId,
  parseHostIdType,
  readHostId,
} from '#domain/activations/hosts/host-id.ts'

test.each([
  ['1', 'DISK_SERIAL_NUM'],
  ['D', 'DISK_SERIAL_NUM'],
  ['d', 'DISK_SERIAL_NUM'],
  ['DISK_SERIAL_NUM', 'DISK_SERIAL_NUM'],
  ['2', 'ETHERNET'],
  ['E', 'ETHERNET'],
  [' ethernet ', 'ETHERNET'],
  ['MAC_ADDRESS', 'ETHERNET'],
  ['3', 'FLEXID'],
  ['f', 'FLEXID'],
  ['FlexID', 'FLEXID'],
  ['4', undefined],
  ['', undefined],
  ['ANY', undefined],
  ['constructor', undefined],
])('type %j is %s', (text, type) => {
  expect(parseHostIdType(text)).toBe(type)
})

describe('an id without a named type', () => {
  test.each([
    ['3CECEF4B7D10', 'ETHERNET', '3cecef4b7d10'],
    ['3c:ec:ef:4b:7d:10', 'ETHERNET', '3cecef4b7d10'],
    ['3C-EC-EF-4B-7D-10', 'ETHERNET', '3cecef4b7d10'],
    ['3cec.ef4b.7d10', 'ETHERNET', '3cecef4b7d10'],
    ['3CECEF-4B7D10', 'ETHERNET', '3cecef4b7d10'],
    ['3c ec ef 4b 7d 10', 'ETHERNET', '3cecef4b7d10'],
    ['8:0:20:0:5:ac', 'ETHERNET', '0800200005ac'],
    ['#2005771344', 'DISK_SERIAL_NUM', '778da450'],
    ['"#172800000"', 'DISK_SERIAL_NUM', '0a4cb800'],
    ['#4294967296', 'ETHERNET', '#4294967296'],
    ['8-0-20-0-5-ac', 'ETHERNET', '0800200005ac'],
    ['ETHERNET=3CECEF4B7D10', 'ETHERNET', '3cecef4b7d10'],
    ['MAC_ADDRESS=3c:ec:ef:4b:7d:10', 'ETHERNET', '3cecef4b7d10'],
    ['mac = 3cecef4b7d10', 'ETHERNET', '3cecef4b7d10'],
    ['ETHER=3cecef4b7d10', 'ETHERNET', '3cecef4b7d10'],
    ['"3cecef4b7d10"', 'ETHERNET', '3cecef4b7d10'],
    ['DISK_SERIAL_NUM=5E0C71AA', 'DISK_SERIAL_NUM', '5e0c71aa'],
    ['disk_serial_num=5e0c-71aa', 'DISK_SERIAL_NUM', '5e0c71aa'],
    ['VSN=5e0c71aa', 'DISK_SERIAL_NUM', '5e0c71aa'],
    ['5E0C71AA', 'DISK_SERIAL_NUM', '5e0c71aa'],
    ['5e0c-71aa', 'DISK_SERIAL_NUM', '5e0c71aa'],
    ['FLEXID=9-1F04B7C2', 'FLEXID', '9-1f04b7c2'],
    ['9-1f04b7c2', 'FLEXID', '9-1f04b7c2'],
    // Other dongles are not supported, but are still recognized as dongles.
    ['7-b28520b9', 'FLEXID', '7-b28520b9'],
    ['10-b28520b9', 'FLEXID', '10-b28520b9'],
    ['A-b28520b9', 'FLEXID', 'a-b28520b9'],
    // Unreadable ids stay as they are, so that the message shows them.
    ['ANY', 'ETHERNET', 'any'],
    ['HOSTNAME=lic01', 'ETHERNET', 'hostname=lic01'],
    ['123bc3434fda2', 'ETHERNET', '123bc3434fda2'],
    ['8:0:20:0:5', 'ETHERNET', '8:0:20:0:5'],
  ] as const)('%s reads as %s %s', (raw, type, id) => {
    expect(readHostId(raw)).toEqual({ type, id })
  })
})

test('a prefix of another type is not dropped', () => {
  expect(normalizedHostId('DISK_SERIAL_NUM=5e0c71aa', 'DISK_SERIAL_NUM')).toBe('5e0c71aa')
  expect(normalizedHostId('DISK_SERIAL_NUM=5e0c71aa', 'ETHERNET')).toBe('disk_serial_num=5e0c71aa')
})

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const readings = fc.oneof(
  fc.record({ type: fc.constant('ETHERNET' as const), id: hex(12) }),
  fc.record({ type: fc.constant('DISK_SERIAL_NUM' as const), id: hex(8) }),
  fc.record({ type: fc.constant('FLEXID' as const), id: hex(8).map((digits) => `9-${digits}`) }),
)

test('every id reads back from the license file that holds it', () => {
  fc.assert(
    fc.property(readings, (reading) => {
      expect(readHostId(licenseHostId(reading))).toEqual(reading)
      expect(readHostId(licenseHostId(reading).toUpperCase())).toEqual(reading)
      expect(readHostId(`${displayedHostIdType(reading.type)}=${reading.id}`)).toEqual(reading)
    }),
  )
})

test('every way to write an address means the same address', () => {
  fc.assert(
    fc.property(hex(12), fc.constantFrom(':', '-', '.', ' '), (id, separator) => {
      const octets = id.match(/../g) ?? []
      const short = octets.map((octet) => octet.replace(/^0/, ''))
      for (const written of [octets, short]) expect(readHostId(written.join(separator)).id).toBe(id)
    }),
  )
})

test('a normalized id stays unchanged', () => {
  fc.assert(
    fc.property(readings, ({ type, id }) => {
      expect(normalizedHostId(id, type)).toBe(id)
    }),
  )
})
