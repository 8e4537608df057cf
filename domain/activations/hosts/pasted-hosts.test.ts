import { expect, test } from 'vitest'
import { readPastedHosts } from '#domain/activations/hosts/pasted-hosts.ts'

const TRIAD = [
  { name: 'tri-a', id: '02a1b2c3d4e1', type: 'ETHERNET' },
  { name: 'tri-b', id: '02a1b2c3d4e2', type: 'ETHERNET' },
  { name: 'tri-c', id: '02a1b2c3d4e3', type: 'ETHERNET' },
]
const withoutNames = TRIAD.map((row) => ({ ...row, name: '' }))

test.each([
  ['lines of name and id', 'tri-a 02a1b2c3d4e1\ntri-b 02a1b2c3d4e2\r\ntri-c 02a1b2c3d4e3\n'],
  ['lines of id and name', '02a1b2c3d4e1 tri-a\n02a1b2c3d4e2 tri-b\n02a1b2c3d4e3 tri-c'],
  [
    'cells of a spreadsheet',
    'Host Name\tHost ID\ntri-a\t02-A1-B2-C3-D4-E1\ntri-b\t02-A1-B2-C3-D4-E2\ntri-c\t02-A1-B2-C3-D4-E3',
  ],
  ['names, then ids', 'tri-a,tri-b,tri-c\n02a1b2c3d4e1,02a1b2c3d4e2,02a1b2c3d4e3'],
  ['SERVER lines', 'SERVER tri-a 02a1b2c3d4e1 1055\nSERVER tri-b 02a1b2c3d4e2 1055\nSERVER tri-c 02a1b2c3d4e3 1055'],
  ['assignments', 'tri-a=02:a1:b2:c3:d4:e1; tri-b=02:a1:b2:c3:d4:e2; tri-c=02:a1:b2:c3:d4:e3'],
  ['lines with colons', 'tri-a: 02a1b2c3d4e1\ntri-b: 02a1b2c3d4e2\ntri-c: 02a1b2c3d4e3'],
])('reads a triad with its names from %s', (_, text) => {
  expect(readPastedHosts(text)).toEqual({ rows: TRIAD, hasOtherIds: false })
})

test.each([
  ['three ids in a row', '02a1b2c3d4e1, 02a1b2c3d4e2 02a1b2c3d4e3'],
  ['ids with labels', 'MAC=02a1b2c3d4e1\nMAC=02a1b2c3d4e2\nETHERNET=02a1b2c3d4e3'],
  [
    'SERVER lines without names',
    'SERVER this_host 02a1b2c3d4e1\nSERVER this_host 02a1b2c3d4e2\nSERVER this_host 02a1b2c3d4e3',
  ],
  ['fewer names than ids', 'tri-a 02a1b2c3d4e1\n02a1b2c3d4e2\n02a1b2c3d4e3'],
])('reads a triad without names from %s', (_, text) => {
  expect(readPastedHosts(text)?.rows).toEqual(withoutNames)
})

const lmhostid = (ids: string) => `lmhostid - Copyright (c) 1989-2023 Flexera. All Rights Reserved.
The FlexNet host ID of this machine is "${ids}"
`

test.each([
  ['one id', lmhostid('02a1b2c3d4e1'), [['', '02a1b2c3d4e1', 'ETHERNET']], false],
  ['a disk', lmhostid('DISK_SERIAL_NUM=5e0c71aa'), [['', '5e0c71aa', 'DISK_SERIAL_NUM']], false],
  ['a dongle', lmhostid('FLEXID=9-1f04b7c2'), [['', '9-1f04b7c2', 'FLEXID']], false],
  [
    'several ids of one computer',
    `${lmhostid('"02a1b2c3d4e1 02a1b2c3d4e2 02a1b2c3d4e3"')}Only use ONE from the list of hostids.`,
    [['', '02a1b2c3d4e1', 'ETHERNET']],
    true,
  ],
  [
    'three computers, one after the other',
    ['1', '2', '3'].map((digit) => lmhostid(`02a1b2c3d4e${digit}`)).join(''),
    withoutNames.map(({ id, type }) => ['', id, type]),
    false,
  ],
  [
    'its name as well',
    lmhostid('02a1b2c3d4e1') + lmhostid('HOSTNAME=tri-a'),
    [['tri-a', '02a1b2c3d4e1', 'ETHERNET']],
    false,
  ],
])('reads what lmhostid prints: %s', (_, text, rows, hasOtherIds) => {
  const expected = rows.map(([name, id, type]) => ({ name, id, type }))
  expect(readPastedHosts(text)).toEqual({ rows: expected, hasOtherIds })
})

test.each([
  ['lic-new 02A1B2C3D4F0', { name: 'lic-new', id: '02a1b2c3d4f0', type: 'ETHERNET' }],
  ['5E0C-71AA lic-disk', { name: 'lic-disk', id: '5e0c71aa', type: 'DISK_SERIAL_NUM' }],
  ['9-1f04b7c2', { name: '', id: '9-1f04b7c2', type: 'FLEXID' }],
  ['Please use büro-1 and 02a1b2c3d4f0', { name: '', id: '02a1b2c3d4f0', type: 'ETHERNET' }],
])('recognizes the type by the form of the id: %s', (text, row) => {
  expect(readPastedHosts(text)?.rows).toEqual([row])
})

test.each([
  ['a name', 'lic-server-01'],
  ['nothing', '  '],
  ['two ids', '02a1b2c3d4e1 02a1b2c3d4e2'],
  ['four ids', '02a1b2c3d4e1 02a1b2c3d4e2 02a1b2c3d4e3 02a1b2c3d4e4'],
  ['an id that is too short', 'lic-new 02a1b2c3d4'],
  ['a dongle that is not supported', 'lic-new 7-1f04b7c2'],
  ['a long text', `${'02a1b2c3d4e1 '.repeat(1)}${'x'.repeat(10_000)}`],
])('leaves %s to the field', (_, text) => {
  expect(readPastedHosts(text)).toBeUndefined()
})
