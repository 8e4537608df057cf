import { generateKeyPairSync, sign as signBytes, verify as verifyBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutFileSignature } from '#domain/activations/license-files/file-signature.ts'
import { licenseText } from '#domain/activations/license-files/license-text.ts'
import { explanationOf, verdictOn } from '#domain/activations/license-files/license-verdict.ts'
import { verifyLicenseText } from '#domain/activations/license-files/license-verification.ts'
import { issue, leased, nodeLocked, perpetual, triadIssue } from '#domain/activations/testing/license-samples.ts'

const key = generateKeyPairSync('ed25519')
const keyId = 'portal-2026'
const sign = (text: string) => signBytes(null, Buffer.from(text), key.privateKey).toString('hex').toUpperCase()
const verify = (text: string, signature: string, id?: string) =>
  id === keyId ? verifyBytes(null, Buffer.from(text), key.publicKey, Buffer.from(signature, 'hex')) : undefined
const check = (text: string) => verifyLicenseText(text, verify)
const verdict = (text: string) => verdictOn(check(text), false)
const explained = (text: string) => explanationOf(verdict(text), check(text))
const outcomes = (text: string) => check(text).blocks.map(({ outcome }) => outcome)

const text = licenseText([leased, perpetual, nodeLocked], { ...issue, keyId }, sign) ?? ''
const triadText = licenseText([leased, nodeLocked], { ...triadIssue, keyId }, sign) ?? ''

test('accepts every block of our own files', () => {
  expect(check(text)).toMatchObject({
    licenses: 'genuine',
    file: 'valid',
    issueDates: ['15-nov-2026'],
    hostIds: ['3cecef4b7d10'],
  })
  expect(check(text).customers).toContain('100001')
  expect(check(text).blocks).toMatchObject([
    { feature: 'hfss_solve', activationId: perpetual.activationId, line: 6, outcome: 'valid' },
    { feature: 'geometry', outcome: 'valid' },
    { feature: 'struct_pro', outcome: 'valid' },
    { feature: 'prepost', outcome: 'valid' },
  ])
  expect(verdict(triadText)).toBe('unchanged')
  expect(check(triadText).hostIds).toEqual(['1a2b3c4d,1a2b3c4e,1a2b3c4f'])
})

describe('an unchanged file', () => {
  test('has no other character anywhere', () => {
    const file = licenseText([{ ...leased, features: ['struct_pro'] }], { ...issue, keyId }, sign) ?? ''
    expect(verdict(file)).toBe('unchanged')
    for (let at = 0; at < file.length - 1; at++) {
      const other = 'x 0#\n'.replace(file[at] ?? '', '')[at % 4] ?? ''
      const changes = [file.slice(0, at) + other + file.slice(at + 1), file.slice(0, at) + file.slice(at + 1)]
      for (const changed of changes) if (changed !== file) expect(verdict(changed), `at ${at}`).not.toBe('unchanged')
    }
  })

  test('has nothing put in', () => {
    fc.assert(
      fc.property(fc.nat(text.length), fc.string({ minLength: 1 }), (at, added) => {
        fc.pre(!/^\r*$/.test(added))
        expect(verdict(text.slice(0, at) + added + text.slice(at))).not.toBe('unchanged')
      }),
    )
  })

  test.each<[string, (file: string) => string]>([
    ['CRLF', (file) => file.replaceAll('\n', '\r\n')],
    ['CR', (file) => file.replaceAll('\n', '\r')],
    ['no last line end', (file) => file.trimEnd()],
  ])('a file with the line ends %s is unchanged', (_, convert) => {
    expect(convert(text)).not.toBe(text)
    expect(verdict(convert(text))).toBe('unchanged')
  })

  test('a file without its signature is unchanged only if exactly this text is kept', () => {
    const older = withoutFileSignature(text)
    expect(verdictOn(check(older), true)).toBe('unchanged')
    expect(verdict(older)).toBe('text changed')
    expect(explained(older)).toContain('It has no signature of the whole file')
  })

  test('is not put together from several files', () => {
    const other = licenseText([{ ...leased, activationId: 'other' }], { ...issue, keyId }, sign) ?? ''
    expect(verdict(text + other)).toBe('text changed')
    expect(explained(text + other)).toContain('It was put together from 2 generated files.')
  })

  test('has every license that it was written with', () => {
    const left = text.replace(/^INCREMENT prepost[\s\S]*?"\n/m, '')
    expect(verdict(left)).toBe('text changed')
    expect(explained(left)).toContain('every license in it is genuine')
  })
})

describe('changes that an administrator may make', () => {
  test.each<[string, (file: string) => string]>([
    ['host name', (file) => file.replace('lic-berlin-01', 'renamed.example.com')],
    ['port', (file) => file.replace('1055', '27000')],
    [
      'vendor path and other options',
      (file) => file.replace('VENDOR ansyslmd', 'VENDOR ansyslmd /opt/lmd OPTIONS=/opt/a.opt PORT=2000'),
    ],
    ['set of comments', (file) => file.replace(/^#.*\n/gm, '# ours\n')],
    ['line wrapping', (file) => file.replaceAll(' \\\n\t', '   ')],
    ['spelling of the host id', (file) => file.replace('3cecef4b7d10 1055', '3C:EC:EF:4B:7D:10 1055')],
    ['set of lower-case attributes', (file) => file.replaceAll(' SN=', ' sort=5 user_info="Hall 3" SN=')],
    ['copy of the SERVER line', (file) => `${file.split('\n')[0]}\n${file}`],
    ['order of blocks', (file) => file.replace(/(# 1\.[\s\S]*?)(# 2\.[\s\S]*?)(# 3\.)/, '$2$1$3')],
  ])('another %s leaves the licenses genuine', (_, edit) => {
    const edited = edit(text)
    expect(edited).not.toBe(text)
    expect(check(edited).licenses).toBe('genuine')
    expect(verdict(edited)).toBe('text changed')
  })
})

describe('changes to a license', () => {
  test.each<[string, (file: string) => string, number]>([
    ['count', (file) => file.replace('31-dec-2026 12', '31-dec-2026 99'), 1],
    ['expiration', (file) => file.replace('31-dec-2026 12', 'permanent 12'), 1],
    ['version', (file) => file.replace('2027.0331', '9999.9999'), 1],
    ['feature', (file) => file.replace('INCREMENT prepost', 'INCREMENT enterprise'), 1],
    ['customer', (file) => file.replace('customer:00100001', 'customer:00100002'), 1],
    ['host id of the server', (file) => file.replace('3cecef4b7d10 1055', '3cecef4b7d11 1055'), 3],
    ['host id of a node-locked license', (file) => file.replace('HOSTID=3cecef4b7d10', 'HOSTID=3cecef4b7d11'), 1],
    ['attribute', (file) => file.replace(' SN=', ' DUP_GROUP=U SN='), 1],
    ['issue date', (file) => file.replaceAll('ISSUED=15-nov-2026', 'ISSUED=16-nov-2026'), 4],
    ['server', (file) => `SERVER other 3cecef4b7d11\n${file}`, 3],
  ])('another %s is reported as changed', (_, edit, changed) => {
    expect(verdict(edit(text))).toBe('licenses changed')
    expect(outcomes(edit(text)).filter((outcome) => outcome === 'changed').length).toBe(changed)
  })

  test('another order of a triad changes it: the triad has another primary', () => {
    const [first, second, ...rest] = triadText.split('\n')
    expect(outcomes([second, first, ...rest].join('\n'))).toEqual(['valid', 'changed', 'changed'])
  })

  test('a block that is there twice is reported as duplicate', () => {
    const block = /^INCREMENT prepost[\s\S]*?"\n/m.exec(text)?.[0] ?? ''
    expect(outcomes(`${text}${block}`)).toEqual(['valid', 'valid', 'valid', 'valid', 'duplicate'])
    expect(verdict(`${text}${block}`)).toBe('licenses changed')
    expect(explained(`${text}${block}`)).toMatch(/At least one license in this file, prepost \(line \d+\), was changed/)
  })

  test('reports the dates of blocks that come from another day', () => {
    const older = licenseText([{ ...leased, activationId: 'older' }], { ...issue, keyId, issuedOn: '2026-11-01' }, sign)
    expect(check(`${text}${older}`)).toMatchObject({
      licenses: 'genuine',
      issueDates: ['15-nov-2026', '01-nov-2026'],
    })
    expect(explained(`${text}${older}`)).toContain('issued on different days (15-nov-2026, 01-nov-2026)')
  })
})

test('rejects files of other vendors', () => {
  const foreign = `SERVER license3 005056854406 27035
VENDOR ansyslmd
INCREMENT aa_mcad ansyslmd 9999.9999 14-sep-2014 250 85A8C486BC8B \\
    VENDOR_STRING=customer:00670021 SUPERSEDE ISSUER=SIEBEL \\
    ISSUED=12-sep-2013 START=12-sep-2013 SIGN2="0074 8947"
FEATURE f1 sampled 1.000 permanent 10 SIGN=9BFAC0316462`
  expect(check(foreign)).toMatchObject({ licenses: 'not ours', file: 'absent', issueDates: ['12-sep-2013'] })
  expect(verdict(foreign)).toBe('not ours')
  expect(outcomes(foreign)).toEqual(['unsigned', 'unknown key'])
  expect(verdict('SERVER a 005056854406\nUSE_SERVER')).toBe('no licenses')
})

test('the canonical text is three lines', () => {
  const signed: string[] = []
  const record = (canonical: string) => {
    signed.push(canonical)
    return '00'
  }
  licenseText([nodeLocked, { ...leased, features: ['struct_pro'] }], triadIssue, record)
  const hosts = 'HOSTS DISK_SERIAL_NUM=1a2b3c4d DISK_SERIAL_NUM=1a2b3c4e DISK_SERIAL_NUM=1a2b3c4f'
  expect(signed[1]?.split('\n')).toEqual([
    'PORTAL-LICENSE-BLOCK-1',
    hosts,
    `INCREMENT struct_pro ansyslmd 9999.9999 31-dec-2026 12 VENDOR_STRING=customer:00100001 SUPERSEDE ISSUED=15-nov-2026 SN=${leased.activationId}`,
  ])
  expect(signed[0]?.split('\n')[1]).toBe(hosts)
})

test.each(['INCREMENt_', '#NCREMENT', 'XNCREMENT'])('a keyword that became %s is a change', (keyword) => {
  expect(verdict(text.replace('INCREMENT', keyword))).toBe('licenses changed')
})
