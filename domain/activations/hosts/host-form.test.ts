import { expect, test } from 'vitest'
import {
  hostOfRows,
  isTriadUpload,
  recognizedType,
  rowErrors,
  uploadedRows,
} from '#domain/activations/hosts/host-form.ts'

const single = {
  serverName: 'lic-01',
  serverId: '3cecef4b7d10',
  serverIdType: 'ETHERNET',
  quorum: false,
  numServers: 1,
}
const triad = {
  serverName: 'a,b,c',
  serverId: '1a2b3c4d,1a2b3c4e,1a2b3c4f',
  serverIdType: 'DISK_SERIAL_NUM,DISK_SERIAL_NUM,DISK_SERIAL_NUM',
  quorum: true,
  numServers: 3,
}

test.each([
  [single, false],
  [triad, true],
  [{ ...triad, quorum: false, numServers: 1 }, true],
  [{ ...single, quorum: true, numServers: 3 }, true],
  [{ ...single, quorum: true }, false],
  [{ ...single, numServers: 3 }, false],
])('the upload %j counts as a triad: %s', (upload, expected) => {
  expect(isTriadUpload(upload)).toBe(expected)
})

test('an upload fills one row or three, and leaves missing fields empty', () => {
  expect(uploadedRows(single)).toEqual([{ name: 'lic-01', id: '3cecef4b7d10', type: 'ETHERNET' }])
  expect(uploadedRows(triad).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(uploadedRows({ ...single, quorum: true, numServers: 3 })).toEqual([
    { name: 'lic-01', id: '3cecef4b7d10', type: 'ETHERNET' },
    { name: '', id: '', type: '' },
    { name: '', id: '', type: '' },
  ])
})

test('rows convert back to the same host', () => {
  const { quorum: _, numServers: __, ...host } = triad
  expect(hostOfRows(uploadedRows(triad))).toEqual(host)
})

test('each field says what is wrong with it', () => {
  expect(rowErrors({ name: 'lic-01', id: '3C-EC-EF-4B-7D-10', type: 'ETHERNET' })).toEqual({})
  expect(rowErrors({ name: 'lic 01', id: '', type: 'ETHERNET' })).toEqual({
    name: 'Please remove spaces and special characters.',
    id: 'Server id is not defined',
  })
  expect(rowErrors({ name: 'lic-01', id: '3cecef4b7d10', type: '' })).toEqual({ id: 'Server id type is not defined' })
})

test.each([
  ['5e0c71aa', 'ETHERNET', 'DISK_SERIAL_NUM'],
  ['9-1f04b7c2', 'ETHERNET', 'FLEXID'],
  ['3c:ec:ef:4b:7d:10', 'DISK_SERIAL_NUM', 'ETHERNET'],
  ['VSN=5e0c-71aa', 'ETHERNET', 'DISK_SERIAL_NUM'],
  ['3cecef4b7d10', 'ETHERNET', 'ETHERNET'],
  ['3cecef', 'FLEXID', 'FLEXID'],
  ['', 'FLEXID', 'FLEXID'],
])('the id %s with the type %s has the type %s', (id, chosen, expected) => {
  expect(recognizedType(id, chosen)).toBe(expected)
})
