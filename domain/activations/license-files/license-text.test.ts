import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutFileSignature } from '#domain/activations/license-files/file-signature.ts'
import { attribute, licenseLines } from '#domain/activations/license-files/license-lines.ts'
import {
  type LicensedActivation,
  licenseText,
  licenseTextByDaemon,
} from '#domain/activations/license-files/license-text.ts'
import { verifyLicenseText } from '#domain/activations/license-files/license-verification.ts'
import {
  licenseDate,
  licenseVersion,
  UnsafeLicenseWordError,
  wrapLine,
} from '#domain/activations/license-files/license-words.ts'
import {
  fakeSign,
  fakeVerify,
  issue,
  leased,
  nodeLocked,
  perpetual,
  triadIssue,
} from '#domain/activations/testing/license-samples.ts'

const write = (activations: readonly LicensedActivation[], of = issue) => licenseText(activations, of, fakeSign) ?? ''
/** Lines without their signatures, continuations joined. */
const plain = (text: string) =>
  licenseLines(withoutFileSignature(text)).map(({ words, written }) =>
    words.length ? words.filter((word) => !word.startsWith('SIGN=')).join(' ') : written.join('\n'),
  )

test('writes server, vendors and blocks', () => {
  expect(plain(write([perpetual, leased]))).toEqual([
    'SERVER lic-berlin-01 3cecef4b7d10 1055',
    'VENDOR ansyslmd',
    'VENDOR ansoftd',
    'USE_SERVER',
    '# 1. Electromagnetics High Frequency: 1 seat, permanent, maintenance ends 31-mar-2027, customer 100001',
    'INCREMENT hfss_solve ansoftd 2027.0331 permanent 1 VENDOR_STRING=customer:00100001 SUPERSEDE ISSUED=15-nov-2026 SN=f3a1c0de-0002-4000-8000-00000000a002',
    '# 2. Structural Mechanics Pro: 12 seats, lease expiring 31-dec-2026, customer 100001',
    'INCREMENT struct_pro ansyslmd 9999.9999 31-dec-2026 12 VENDOR_STRING=customer:00100001 SUPERSEDE ISSUED=15-nov-2026 SN=f3a1c0de-0001-4000-8000-00000000a001',
    'INCREMENT prepost ansyslmd 9999.9999 31-dec-2026 12 VENDOR_STRING=customer:00100001 SUPERSEDE ISSUED=15-nov-2026 SN=f3a1c0de-0001-4000-8000-00000000a001',
  ])
})

test('writes a block to the letter, wrapped between words', () => {
  const sign = () => '0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF'
  expect(licenseText([{ ...leased, features: ['struct_pro'] }], issue, sign)).toBe(
    [
      'SERVER lic-berlin-01 3cecef4b7d10 1055',
      'VENDOR ansyslmd',
      'USE_SERVER',
      '# 1. Structural Mechanics Pro: 12 seats, lease expiring 31-dec-2026, customer 100001',
      'INCREMENT struct_pro ansyslmd 9999.9999 31-dec-2026 12 \\',
      '\tVENDOR_STRING=customer:00100001 SUPERSEDE ISSUED=15-nov-2026 \\',
      '\tSN=f3a1c0de-0001-4000-8000-00000000a001 SIGN="0123 4567 89AB CDEF \\',
      '\t0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567 89AB CDEF"',
      '# Signature of everything above:',
      '# 0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567 89AB CDEF',
      '',
    ].join('\n'),
  )
})

describe('triads', () => {
  test('have three SERVER lines, the primary first', () => {
    expect(plain(write([leased], triadIssue)).slice(0, 3)).toEqual([
      'SERVER core-a DISK_SERIAL_NUM=1a2b3c4d 2325',
      'SERVER core-b DISK_SERIAL_NUM=1a2b3c4e 2325',
      'SERVER core-c DISK_SERIAL_NUM=1a2b3c4f 2325',
    ])
  })

  test('lock a node-locked license to any of the three', () => {
    expect(plain(write([nodeLocked], triadIssue))[1]).toContain(
      'uncounted HOSTID="DISK_SERIAL_NUM=1a2b3c4d DISK_SERIAL_NUM=1a2b3c4e DISK_SERIAL_NUM=1a2b3c4f" VENDOR_STRING',
    )
  })

  const HOST_ID_LIST = 'HOSTID="DISK_SERIAL_NUM=1a2b3c4d DISK_SERIAL_NUM=1a2b3c4e DISK_SERIAL_NUM=1a2b3c4f"'

  test('keep the list of host ids on one line', () => {
    expect(write([nodeLocked], triadIssue).split('\n')).toContain(`\t${HOST_ID_LIST} \\`)
  })

  test('stay genuine when an older file breaks the list of host ids', () => {
    const file = write([nodeLocked], triadIssue)
    const older = file.replaceAll(HOST_ID_LIST, HOST_ID_LIST.replace(/ (?=\S+"$)/, ' \\\n\t'))
    expect(older).not.toBe(file)
    expect(verifyLicenseText(older, fakeVerify).licenses).toBe('genuine')
  })
})

describe('node-locked licenses', () => {
  test('need neither server nor vendor if they are alone', () => {
    expect(plain(write([nodeLocked]))).toEqual([
      '# 1. Geometry Modeler (NODE): 2 seats, lease expiring 31-dec-2026, customer 100001',
      'INCREMENT geometry ansyslmd 9999.9999 31-dec-2026 uncounted HOSTID=3cecef4b7d10 VENDOR_STRING=customer:00100001 SUPERSEDE ISSUED=15-nov-2026 SN=f3a1c0de-0003-4000-8000-00000000a003',
    ])
  })

  test('are recognized by catalog, license model or name', () => {
    const counts = [
      nodeLocked,
      { ...leased, licenseModel: 'Node Locked' },
      { ...leased, product: 'Solver (NODE)' },
      leased,
    ].map((one) => licenseLines(write([one])).find(({ keyword }) => keyword === 'INCREMENT')?.words[5])
    expect(counts).toEqual(['uncounted', 'uncounted', 'uncounted', '12'])
  })

  test.each([
    ['DISK_SERIAL_NUM', '5e0c71aa', 'HOSTID=DISK_SERIAL_NUM=5e0c71aa'],
    ['FLEXID', '9-1f04b7c2', 'HOSTID=FLEXID=9-1f04b7c2'],
  ])('node-locked licenses name a %s host', (serverIdType, serverId, hostId) => {
    const host = { ...issue.host, serverId, serverIdType }
    expect(plain(write([nodeLocked], { ...issue, host }))[1]).toContain(` ${hostId} `)
  })
})

describe('attributes', () => {
  const attributes = (one: LicensedActivation, of = issue) =>
    licenseLines(write([one], of)).find(({ keyword }) => keyword === 'INCREMENT')?.words ?? []

  test.each([
    ['2026-11-14', undefined],
    ['2026-11-15', undefined],
    ['2026-11-16', '16-nov-2026'],
  ])('a start on %s gives START %s', (startDate, start) => {
    expect(attribute(attributes({ ...leased, startDate }), 'START')).toBe(start)
  })

  test.each([
    ['Ansoft Borrow', true, '720'],
    ['Ansoft Borrow', false, undefined],
    ['Network', true, undefined],
  ])('model %s on a host with Borrowable %s gives BORROW %s', (licenseModel, isBorrowable, hours) => {
    const text = write([{ ...leased, licenseModel }], { ...issue, isBorrowable })
    expect(attribute(attributes({ ...leased, licenseModel }, { ...issue, isBorrowable }), 'BORROW')).toBe(hours)
    expect(text.includes(', borrowable\n')).toBe(hours !== undefined)
  })

  test('the version of a permanent license is the end of its maintenance', () => {
    expect(attributes(perpetual).slice(3, 5)).toEqual(['2027.0331', 'permanent'])
    expect(attributes({ ...perpetual, versionDate: null }).slice(3, 5)).toEqual(['2023.0401', 'permanent'])
    expect(attributes(leased).slice(3, 5)).toEqual(['9999.9999', '31-dec-2026'])
  })

  test('customer numbers have at least eight digits', () => {
    const customer = (customerNumber: string) => attribute(attributes({ ...leased, customerNumber }), 'VENDOR_STRING')
    expect([customer('7'), customer('12345678'), customer('1234567890')]).toEqual([
      'customer:00000007',
      'customer:12345678',
      'customer:1234567890',
    ])
  })

  test('names the signing key if there is one', () => {
    expect(attribute(attributes(leased, { ...issue, keyId: 'portal-2026' }), 'ISSUER')).toBe('portal-2026')
  })
})

describe('licenses that are left out', () => {
  test.each([
    ['expired leases', { ...leased, endDate: '2026-11-14' }],
    ['entitlements without seats', { ...leased, seats: 0 }],
  ])('a license file leaves out %s', (_, one) => {
    expect(licenseText([one], issue, fakeSign)).toBe(undefined)
    expect(licenseTextByDaemon([one], issue, fakeSign)).toEqual({})
  })

  test('keeps licenses that end today', () => {
    expect(write([{ ...leased, endDate: '2026-11-15' }])).toContain('15-nov-2026 12')
  })
})

test('texts by daemon are complete files', () => {
  const texts = licenseTextByDaemon([leased, perpetual, nodeLocked], issue, fakeSign)
  expect(Object.keys(texts).sort()).toEqual(['ansoftd', 'ansyslmd', 'ansyslmd_nodelocked'])
  expect(plain(texts.ansoftd ?? '').slice(0, 3)).toEqual([
    'SERVER lic-berlin-01 3cecef4b7d10 1055',
    'VENDOR ansoftd',
    'USE_SERVER',
  ])
  expect(texts.ansyslmd_nodelocked).not.toMatch(/^(SERVER|VENDOR|USE_SERVER)/m)
  for (const text of Object.values(texts))
    expect(verifyLicenseText(text, fakeVerify)).toMatchObject({ licenses: 'genuine', file: 'valid' })
})

test('a shared file holds all customers under one issue date, whatever order they come in', () => {
  const others = [leased, perpetual, nodeLocked].map((one) => ({ ...one, customerNumber: '100002' }))
  const all = [leased, perpetual, nodeLocked, ...others]
  const text = write(all)
  expect(verifyLicenseText(text, fakeVerify).issueDates).toEqual(['15-nov-2026'])
  expect(text.match(/^SERVER/gm)?.length).toBe(1)
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
      expect(write(shuffled)).toBe(text)
    }),
  )
})

test('writes dates as license managers expect', () => {
  expect([licenseDate('2026-01-09'), licenseDate('2028-02-29')]).toEqual(['09-jan-2026', '29-feb-2028'])
  expect(licenseVersion('2026-01-09')).toBe('2026.0109')
})

test('wrapping never breaks a word', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'B', '9'), minLength: 1, maxLength: 100 }), {
    minLength: 1,
  })
  fc.assert(
    fc.property(words, (drawn) => {
      const text = wrapLine(drawn.join(' '))
      expect(text.split(/ \\\n\t| /)).toEqual(drawn)
      for (const line of text.split('\n')) {
        const columns = line.replace('\t', '        ').length
        if (line.trim().replace(' \\', '').includes(' ')) expect(columns).toBeLessThanOrEqual(78)
      }
    }),
  )
})

describe('hostile text', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      ...['\n', '\r', '\\', '"', '#', '\t', ' ', '\u0000', '\u2028', '\u202e', '＂', '＼', 'é', '–', '😀', '\ud800'],
      ...['INCREMENT x ansyslmd 1 permanent 999 SIGN=0', 'SERVER evil ANY', ' \\\n', '\r\nVENDOR evil\r\n', 'a', ','],
    ),
    maxLength: 12,
  })

  test('names of products and hosts cannot add a line', () => {
    fc.assert(
      fc.property(hostile, hostile, (product, serverName) => {
        const text = write([{ ...leased, product }], { ...issue, host: { ...issue.host, serverName } })
        expect(text).toMatch(/^[\n\t -~]+$/)
        expect(licenseLines(text).map(({ keyword }) => keyword)).toEqual([
          'SERVER',
          'VENDOR',
          'USE_SERVER',
          undefined,
          'INCREMENT',
          'INCREMENT',
          undefined,
          undefined,
        ])
        expect(licenseLines(text)[0]?.words.slice(2)).toEqual(['3cecef4b7d10', '1055'])
        expect(verifyLicenseText(text, fakeVerify)).toMatchObject({ licenses: 'genuine', file: 'valid' })
      }),
      { numRuns: 500 },
    )
  })

  test('a host name that a file cannot hold becomes the placeholder', () => {
    const named = (serverName: string) => write([leased], { ...issue, host: { ...issue.host, serverName } })
    expect(named('büro-1')).toMatch(/^SERVER xn--bro-1-kva 3cecef4b7d10 1055\n/)
    expect(named('büro 1')).toMatch(/^SERVER this_host 3cecef4b7d10 1055\n/)
    expect(named('')).toMatch(/^SERVER this_host 3cecef4b7d10 1055\n/)
  })

  test('product names are written without accents', () => {
    expect(write([{ ...leased, product: 'Aéroélasticité – "Édition" Zürich\\' }])).toContain(
      '# 1. Aeroelasticite - Edition Zurich: 12 seats',
    )
  })

  test.each([
    ['feature', { ...leased, features: ['a b'] }],
    ['feature with a line', { ...leased, features: ['a\nSERVER'] }],
    ['daemon', { ...leased, daemon: 'ansys"lmd' }],
    ['activation id', { ...leased, activationId: 'x\ny' }],
    ['customer number', { ...leased, customerNumber: '1 2' }],
  ])('a %s that is no word is an error', (_, one) => {
    expect(() => write([one])).toThrow(UnsafeLicenseWordError)
  })

  test('a signature that is no word is an error', () => {
    expect(() => licenseText([leased], issue, () => 'a"\nSERVER')).toThrow(UnsafeLicenseWordError)
  })
})
