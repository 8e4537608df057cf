import { describe, expect, test } from 'vitest'
import {
  DEFAULT_PORT,
  hostIdLabel,
  isTriad,
  licenseServerPath,
  normalizedHost,
} from '#domain/activations/hosts/host.ts'
import { hostError, hostIdError } from '#domain/activations/hosts/host-validity.ts'

const host = (serverId: string, serverIdType: string, serverName = 'lic-01') => ({ serverName, serverId, serverIdType })
const triad = (serverId: string, serverIdType: string) => host(serverId, serverIdType, 'lic-a,lic-b,lic-c')

const THREE = 'a0369f1c2e01,a0369f1c2e02,a0369f1c2e03'
const ETHERNETS = 'ETHERNET,ETHERNET,ETHERNET'

describe('valid hosts', () => {
  test.each([
    host('3cecef4b7d10', 'ETHERNET'),
    host('3C:EC:EF:4B:7D:10', '2'),
    host('8:0:20:0:5:ac', 'E'),
    host('MAC_ADDRESS=3cecef4b7d10', 'ETHERNET'),
    host('5e0c71aa', 'DISK_SERIAL_NUM'),
    host('5E0C71AA', '1'),
    host('DISK_SERIAL_NUM=5e0c71aa', 'D'),
    host('9-1f04b7c2', 'FLEXID'),
    host('FLEXID=9-1F04B7C2', 'F'),
    triad(THREE, ETHERNETS),
    triad(THREE, '2,E,ETHERNET'),
    triad('1a2b3c4d, 1a2b3c4e, 1a2b3c4f', '1,1,1'),
  ])('$serverId is valid as $serverIdType', (valid) => {
    expect(hostError(valid)).toBe(undefined)
    expect(hostError(normalizedHost(valid))).toBe(undefined)
  })
})

const TWELVE = 'It must have 12 hexadecimal digits (0-9, a-f, A-F).'
const EIGHT = 'It must have 8 hexadecimal digits (0-9, a-f, A-F). Check for missing characters and add leading zeroes.'
const NINE = "It must be '9-' followed by 8 hexadecimal digits (0-9, a-f, A-F)."

describe('refused hosts', () => {
  test.each([
    ['', 'ETHERNET', 'Server id is not defined'],
    ['  ', 'ETHERNET', 'Server id is not defined'],
    ['3cecef4b7d10', '', 'Server id type is not defined'],
    ['', '', 'Server id is not defined'],
    ['3cecef4b7d10,', 'ETHERNET', 'Server id 3cecef4b7d10, is not a single or triad server'],
    ['a,b', 'ETHERNET,ETHERNET', 'Server id a,b is not a single or triad server'],
    ['a,b,c,d', ETHERNETS, 'Server id a,b,c,d is not a single or triad server'],
    [THREE, 'ETHERNET', 'The number of server id types must match the number of server ids'],
    ['3cecef4b7d10', ETHERNETS, 'The number of server id types must match the number of server ids'],
    ['a0369f1c2e01,,a0369f1c2e03', ETHERNETS, 'Server id is not defined'],
    [THREE, 'ETHERNET,,ETHERNET', 'Server id type is not defined'],
    [THREE, 'ETHERNET,ETHERNET,FLEXID', 'Triad servers must all be the same host id type'],
    [THREE, 'ETHERNET,ETHERNET,ANY', 'Triad servers must all be the same host id type'],
    ['3cecef4b7d10', 'ANY', 'Unsupported host id type: ANY'],
    [THREE, 'ANY,ANY,ANY', 'Unsupported host id type: ANY'],
    ['3cecef4b7d1', 'ETHERNET', `Invalid ETHERNET server id: 3cecef4b7d1. ${TWELVE}`],
    ['3cecef4b7d100', 'ETHERNET', `Invalid ETHERNET server id: 3cecef4b7d100. ${TWELVE}`],
    ['3cecef4b7g10', 'ETHERNET', `Invalid ETHERNET server id: 3cecef4b7g10. ${TWELVE}`],
    ['5e0c71aa', 'ETHERNET', `Invalid ETHERNET server id: 5e0c71aa. ${TWELVE}`],
    ['DISK_SERIAL_NUM=5e0c71aa', 'ETHERNET', `Invalid ETHERNET server id: DISK_SERIAL_NUM=5e0c71aa. ${TWELVE}`],
    ['e0c71aa', 'DISK_SERIAL_NUM', `Invalid DISK_SERIAL_NUM server id: e0c71aa. ${EIGHT}`],
    ['zz0c71aa', 'DISK_SERIAL_NUM', `Invalid DISK_SERIAL_NUM server id: zz0c71aa. ${EIGHT}`],
    ['8-1f04b7c2', 'FLEXID', `Invalid FLEXID server id: 8-1f04b7c2. ${NINE}`],
    ['1f04b7c2', 'FLEXID', `Invalid FLEXID server id: 1f04b7c2. ${NINE}`],
    ['a0369f1c2e01,a0369f1c2e02,zz', ETHERNETS, `Invalid ETHERNET server id: zz. ${TWELVE}`],
    ['a0369f1c2e01,a0369f1c2e02,A0:36:9F:1C:2E:01', ETHERNETS, 'Triad servers must have three different host ids'],
  ])('%j is refused as %j', (serverId, serverIdType, message) => {
    expect(hostError({ ...triad(serverId, serverIdType) })).toBe(message)
  })
})

test('a host listens on 1055 unless it has another port', () => {
  expect(DEFAULT_PORT).toBe(1055)
})

test('the rehost check has its own text for an unknown type', () => {
  expect(hostError(host('3cecef4b7d10', 'ANY'), 'rehost')).toBe('Invalid server id type: ANY')
  expect(hostIdError('3cecef4b7d10', 'ANY', 'rehost')).toBe('Invalid server id type: ANY')
})

test('checks each name, and that there are as many names as ids', () => {
  expect(hostError(host('3cecef4b7d10', '2', ''))).toBe('Please remove spaces and special characters.')
  expect(hostError(host('3cecef4b7d10', '2', 'lic 01'))).toBe('Please remove spaces and special characters.')
  expect(hostError(host(THREE, ETHERNETS, 'a,b,c d'))).toBe('Please remove spaces and special characters.')
  expect(hostError(host(THREE, ETHERNETS, 'a,,c'))).toBe('Please remove spaces and special characters.')
  expect(hostError(host(THREE, ETHERNETS, 'a'))).toBe('The number of host names must match the number of server ids')
})

test('a message shows hostile text shortened and without control characters', () => {
  const error = hostError(host(`\u202e\n${'x'.repeat(500)}`, 'ETHERNET')) ?? ''
  expect(error).toMatch(/^Invalid ETHERNET server id: \ufffd\ufffdx{98}…\. /)
})

test('a host is kept in lower case with full type names, and shown with its type', () => {
  const kept = normalizedHost(triad('A0:36:9F:1C:2E:01, A0369F1C2E02,a0369f1c2e03', '2,e,ETHERNET'))
  expect(kept).toEqual({ serverName: 'lic-a,lic-b,lic-c', serverId: THREE, serverIdType: ETHERNETS })
  expect(isTriad(kept)).toBe(true)
  expect(hostIdLabel(kept)).toBe(`MAC_ADDRESS=${THREE}`)
  expect(hostIdLabel(host('9-1f04b7c2', 'FLEXID'))).toBe('FLEXID=9-1f04b7c2')
  expect(hostIdLabel(host('5e0c71aa', 'DISK_SERIAL_NUM'))).toBe('DISK_SERIAL_NUM=5e0c71aa')
  expect(hostIdLabel(host('x', 'ANY'))).toBe('x')
})

test('the address of a license server is readable, and safe whatever the id', () => {
  expect(licenseServerPath('3cecef4b7d10')).toBe('/license-servers/3cecef4b7d10')
  expect(licenseServerPath(THREE)).toBe(`/license-servers/${THREE}`)
  expect(licenseServerPath('a/b?c')).toBe('/license-servers/a%2Fb%3Fc')
})
