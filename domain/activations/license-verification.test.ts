import { generateKeyPairSync, sign as signBytes, verify as verifyBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { licenseText } from '#domain/activations/license-text.ts'
import { verifyLicenseText } from '#domain/activations/license-verification.ts'
import { issue, leased, nodeLocked, perpetual, triadIssue } from '#domain/activations/testing/license-samples.ts'

const key = generateKeyPairSync('ed25519')
const keyId = 'portal-2026'
const sign = (text: string) => signBytes(null, Buffer.from(text), key.privateKey).toString('hex').toUpperCase()
const verify = (text: string, signature: string, id?: string) =>
  id === keyId ? verifyBytes(null, Buffer.from(text), key.publicKey, Buffer.from(signature, 'hex')) : undefined
const check = (text: string) => verifyLicenseText(text, verify)
const outcomes = (text: string) => check(text).blocks.map(({ outcome }) => outcome)

const text = licenseText([leased, perpetual, nodeLocked], { ...issue, keyId }, sign) ?? ''
const triadText = licenseText([leased, nodeLocked], { ...triadIssue, keyId }, sign) ?? ''

test('accepts every block of our own files', () => {
  expect(check(text)).toMatchObject({ verdict: 'ours', issueDates: ['15-nov-2026'] })
  expect(check(text).blocks).toMatchObject([
    { feature: 'hfss_solve', activationId: perpetual.activationId, line: 6, outcome: 'valid' },
    { feature: 'geometry', outcome: 'valid' },
    { feature: 'struct_pro', outcome: 'valid' },
    { feature: 'prepost', outcome: 'valid' },
  ])
  expect(check(triadText).verdict).toBe('ours')
})

describe('what an administrator may change', () => {
  test.each<[string, (file: string) => string]>([
    ['host name', (file) => file.replace('lic-berlin-01', 'renamed.example.com')],
    ['port', (file) => file.replace('1055', '27000')],
    [
      'vendor path and options',
      (file) => file.replace('VENDOR ansyslmd', 'VENDOR ansyslmd /opt/lmd OPTIONS=/opt/a.opt PORT=2000'),
    ],
    ['comments', (file) => file.replace(/^#.*\n/gm, '# ours\n')],
    ['line ends', (file) => file.replaceAll('\n', '\r\n')],
    ['wrapping', (file) => file.replaceAll(' \\\n\t', '   ')],
    ['how the address is written', (file) => file.replace('3cecef4b7d10 1055', '3C:EC:EF:4B:7D:10 1055')],
    ['attributes in lower case', (file) => file.replaceAll(' SN=', ' sort=5 user_info="Hall 3" SN=')],
    ['repeated SERVER lines', (file) => `${file.split('\n')[0]}\n${file}`],
    ['the order of blocks', (file) => file.replace(/(#[\s\S]*?)(# 2\.[\s\S]*)/, '$2$1')],
  ])('%s', (_, edit) => {
    const edited = edit(text)
    expect(edited).not.toBe(text)
    expect(check(edited).verdict).toBe('ours')
  })
})

describe('what changes a license', () => {
  test.each<[string, (file: string) => string, number]>([
    ['count', (file) => file.replace('31-dec-2026 12', '31-dec-2026 99'), 1],
    ['expiration', (file) => file.replace('31-dec-2026 12', 'permanent 12'), 1],
    ['version', (file) => file.replace('2027.0331', '9999.9999'), 1],
    ['feature', (file) => file.replace('INCREMENT prepost', 'INCREMENT enterprise'), 1],
    ['customer', (file) => file.replace('customer:00100001', 'customer:00100002'), 1],
    ['host id of the server', (file) => file.replace('3cecef4b7d10 1055', '3cecef4b7d11 1055'), 3],
    ['host id of a node-locked license', (file) => file.replace('HOSTID=3cecef4b7d10', 'HOSTID=3cecef4b7d11'), 1],
    ['an added attribute', (file) => file.replace(' SN=', ' DUP_GROUP=U SN='), 1],
    ['issue date', (file) => file.replaceAll('ISSUED=15-nov-2026', 'ISSUED=16-nov-2026'), 4],
    ['a second server', (file) => `SERVER other 3cecef4b7d11\n${file}`, 3],
  ])('%s', (_, edit, changed) => {
    expect(check(edit(text)).verdict).toBe('changed')
    expect(outcomes(edit(text)).filter((outcome) => outcome === 'changed').length).toBe(changed)
  })

  test('another order of a triad: it has another primary', () => {
    const [first, second, ...rest] = triadText.split('\n')
    expect(outcomes([second, first, ...rest].join('\n'))).toEqual(['valid', 'changed', 'changed'])
  })

  test('a block that is there twice', () => {
    const block = /^INCREMENT prepost[\s\S]*?"\n/m.exec(text)?.[0] ?? ''
    expect(outcomes(`${text}${block}`)).toEqual(['valid', 'valid', 'valid', 'valid', 'duplicate'])
    expect(check(`${text}${block}`).verdict).toBe('changed')
  })

  test('reports the dates of blocks that come from another day', () => {
    const older = licenseText([{ ...leased, activationId: 'older' }], { ...issue, keyId, issuedOn: '2026-11-01' }, sign)
    expect(check(`${text}${older}`)).toMatchObject({ verdict: 'ours', issueDates: ['15-nov-2026', '01-nov-2026'] })
  })
})

test('rejects files of other vendors', () => {
  const foreign = `SERVER license3 005056854406 27035
VENDOR ansyslmd
INCREMENT aa_mcad ansyslmd 9999.9999 14-sep-2014 250 85A8C486BC8B \\
    VENDOR_STRING=customer:00670021 SUPERSEDE ISSUER=SIEBEL \\
    ISSUED=12-sep-2013 START=12-sep-2013 SIGN2="0074 8947"
FEATURE f1 sampled 1.000 permanent 10 SIGN=9BFAC0316462`
  expect(check(foreign)).toMatchObject({ verdict: 'not ours', issueDates: ['12-sep-2013'] })
  expect(outcomes(foreign)).toEqual(['unsigned', 'unknown key'])
  expect(check('SERVER a 005056854406\nUSE_SERVER').verdict).toBe('no licenses')
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
  expect(check(text.replace('INCREMENT', keyword)).verdict).toBe('changed')
})
