import { expect, test } from 'vitest'
import {
  hostFormErrors,
  NEW_HOST,
  valuesForRehost,
  valuesOfRows,
  valuesWithPasted,
} from '#web/modules/activations/hosts/host.form.ts'

const single = { ...NEW_HOST, name0: 'lic-01', id0: '3C-EC-EF-4B-7D-10' }
const known = { serverName: 'lic-01', serverId: '3cecef4b7d10', serverIdType: 'ETHERNET', state: 'Active' } as const

test('accepts a single host and ignores the rows of a triad', () => {
  expect(hostFormErrors(single, [])).toEqual({})
  expect(Object.keys(hostFormErrors({ ...single, isTriad: true }, []))).toEqual(['name1', 'id1', 'name2', 'id2'])
})

test('names the field of each error', () => {
  expect(hostFormErrors({ ...single, name0: 'a b', id0: '12' }, [])).toEqual({
    name0: 'Please remove spaces and special characters.',
    id0: expect.stringMatching(/^Invalid ETHERNET server id: 12\./),
  })
})

test('refuses a host that is in use, and takes an inactive one up again', () => {
  expect(hostFormErrors(single, [known]).id0).toBe('Host identifier lic-01 (3cecef4b7d10) is already in use.')
  expect(hostFormErrors(single, [{ ...known, state: 'Inactive' }])).toEqual({})
})

test('fills three rows from an upload and leaves placeholder names empty', () => {
  const rows = ['a', 'this_host', 'c'].map((name, index) => ({ name, id: `0242ac12000${index}`, type: 'ETHERNET' }))
  expect(valuesOfRows(rows)).toMatchObject({ isTriad: true, name0: 'a', name1: '', name2: 'c', id2: '0242ac120002' })
})

test.each([
  ['a disk', '5e0c71aa', 'DISK_SERIAL_NUM', { isTriad: false, type0: 'DISK_SERIAL_NUM', type2: 'DISK_SERIAL_NUM' }],
  [
    'a triad of two kinds',
    '0242ac120000,5e0c71aa,5e0c71ab',
    'ETHERNET,DISK_SERIAL_NUM,DISK_SERIAL_NUM',
    { isTriad: true, type0: 'ETHERNET', type1: 'DISK_SERIAL_NUM' },
  ],
])('a rehost from %s starts with its id types and nothing else', (_, serverId, serverIdType, expected) => {
  const values = valuesForRehost({ serverName: 'old', serverId, serverIdType })
  expect(values).toMatchObject({ ...expected, name0: '', id0: '', id1: '' })
})

const pasted = ['1', '2', '3'].map((digit) => ({ name: `tri-${digit}`, id: `02a1b2c3d4e${digit}`, type: 'ETHERNET' }))

test('three pasted rows fill a triad', () => {
  const values = valuesWithPasted(NEW_HOST, pasted, 0)
  expect(values).toMatchObject({
    isTriad: true,
    name0: 'tri-1',
    id0: '02a1b2c3d4e1',
    name2: 'tri-3',
    id2: '02a1b2c3d4e3',
  })
  expect(hostFormErrors(values, [])).toEqual({})
})

test('one pasted row fills its own row, and a name that was typed stays', () => {
  const typed = { ...NEW_HOST, isTriad: true, name1: 'lic-02' }
  const values = valuesWithPasted(typed, [{ name: '', id: '5e0c71aa', type: 'DISK_SERIAL_NUM' }], 1)
  expect(values).toEqual({ ...typed, id1: '5e0c71aa', type1: 'DISK_SERIAL_NUM' })
})
