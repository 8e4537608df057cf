import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostParts } from '#domain/activations/hosts/host.ts'
import { readLicenseFile } from '#domain/activations/license-files/license-reader.ts'
import { licenseText } from '#domain/activations/license-files/license-text.ts'
import { fakeSign, issue, leased, triadIssue } from '#domain/activations/testing/license-samples.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const single = (serverName: string, serverId: string, serverIdType: string) => ({
  serverName,
  serverId,
  serverIdType,
  quorum: false,
  numServers: 1,
})
const server = (input: Uint8Array | string) => {
  const reading = readLicenseFile(input)
  return reading.kind === 'read' ? reading.server : reading.reason
}

describe('license files as they are found in practice', () => {
  test.each<[string, string, ReturnType<typeof single>, number | null]>([
    [
      'an Ansys license with comments and paths',
      `# Server Hostname, flexlm hostid, and port
##############################################################################
SERVER license3.Example.EDU 005056854406 27035
VENDOR ansyslmd /usr/local/bin
# 1. ANSYS Academic Research (25 Tasks): 10 task(s) Lease expiring 14-Sep-2014 Customer # 670021
INCREMENT aa_mcad ansyslmd 9999.9999 14-sep-2014 250 85A8C486BC8B \\
    VENDOR_STRING=customer:00670021 SUPERSEDE ISSUER=SIEBEL \\
    ISSUED=12-sep-2013 START=12-sep-2013 SIGN2="0074 8947 372C \\
    DDA2 D9AC 5117 B264 9B00 CAFB 4532 1EE9 8604 A188 8CB1 DE28"`,
      single('license3.Example.EDU', '005056854406', 'ETHERNET'),
      27035,
    ],
    [
      'a disk serial number on localhost, with an AUTH group',
      `SERVER localhost DISK_SERIAL_NUM=fe72bfa4 1055
VENDOR ansyslmd
INCREMENT anshpc_pack ansyslmd 2026.0508 permanent 1 \\
\tVENDOR_STRING=customer:00602995 SUPERSEDE ISSUER=SIEBEL \\
\tISSUED=08-may-2025 START=09-may-2025 AUTH={ ansyslmd=( \\
\tLK=0E1FCA763F6A SIGN="0020 559A 3312 57AD 4AEB F61B EDA0 F500 \\
\t39DA 9B4C 271B 5582 C5D4 2287 9C73") }`,
      single('localhost', 'fe72bfa4', 'DISK_SERIAL_NUM'),
      1055,
    ],
    [
      'a dongle',
      'server lic-lab FLEXID=9-1F04B7C2 1055\nvendor ansoftd\n',
      single('lic-lab', '9-1f04b7c2', 'FLEXID'),
      1055,
    ],
    [
      'an old long host id, read as a disk serial number',
      'SERVER my_server 17007ea8 1700\nVENDOR sampled\nFEATURE f1 sampled 1.000 01-jan-2005 10 SIGN=9BFAC0316462',
      single('my_server', '17007ea8', 'DISK_SERIAL_NUM'),
      1700,
    ],
    [
      'a file with SERVER as its last line',
      'FEATURE f1 sampled 1.000 permanent 10 9BFAC0316462\nDAEMON sampled /etc/sampled\nSERVER lic01 00:1A:2B:3C:4D:5E',
      single('lic01', '001a2b3c4d5e', 'ETHERNET'),
      null,
    ],
    [
      'a client file',
      'SERVER lic01 001a2b3c4d5e 27000\r\nUSE_SERVER\r\n',
      single('lic01', '001a2b3c4d5e', 'ETHERNET'),
      27000,
    ],
    [
      'a client file with a heading',
      'License server of the simulation team, Berlin\nSERVER lic01 001a2b3c4d5e 27000\nUSE_SERVER\n',
      single('lic01', '001a2b3c4d5e', 'ETHERNET'),
      27000,
    ],
    ['a host id without a digit', 'SERVER lic01 deadbeefcafe', single('lic01', 'deadbeefcafe', 'ETHERNET'), null],
    ['a file of one SERVER line', 'SERVER lic01 001a2b3c4d5e', single('lic01', '001a2b3c4d5e', 'ETHERNET'), null],
    [
      'a line with short octets and an address instead of a name',
      'SERVER 192.168.244.23 8:0:20:0:5:ac 28850\nDAEMON d',
      single('192.168.244.23', '0800200005ac', 'ETHERNET'),
      28850,
    ],
    [
      'a placeholder name, which the form then asks for',
      'SERVER this_host 001A2B3C4D5E\nVENDOR v',
      single('this_host', '001a2b3c4d5e', 'ETHERNET'),
      null,
    ],
    [
      'a continued SERVER line with tabs',
      'SERVER\tlic01 \\\n\t001a2b3c4d5e   \\   \n\t1055 PRIMARY_IS_MASTER HEARTBEAT_INTERVAL=20\nVENDOR v',
      single('lic01', '001a2b3c4d5e', 'ETHERNET'),
      1055,
    ],
    [
      'combined files with identical SERVER lines',
      'SERVER lic01 001a2b3c4d5e 1055\nVENDOR a\nSERVER LIC01 00-1A-2B-3C-4D-5E 1055\nVENDOR b',
      single('lic01', '001a2b3c4d5e', 'ETHERNET'),
      1055,
    ],
    [
      'a line with options and no port',
      'SERVER lic01 001a2b3c4d5e PRIMARY_IS_MASTER HEARTBEAT_INTERVAL=20\nVENDOR v',
      single('lic01', '001a2b3c4d5e', 'ETHERNET'),
      null,
    ],
    [
      'a line with a platform and no port',
      'SERVER lic01 001a2b3c4d5e PLAT=x64_n6\nVENDOR v',
      single('lic01', '001a2b3c4d5e', 'ETHERNET'),
      null,
    ],
  ])('the reader finds the server of %s', (_, text, expected, port) => {
    expect(readLicenseFile(text)).toEqual({ kind: 'read', server: expected, port })
    expect(readLicenseFile(bytes(text))).toEqual({ kind: 'read', server: expected, port })
  })

  test('the reader finds the three servers of a triad', () => {
    const text = `SERVER core-a a0369f1c2e01 2325 PRIMARY_IS_MASTER
SERVER core-b a0369f1c2e02 2325
SERVER core-c A0-36-9F-1C-2E-03 2325
VENDOR ansyslmd
SERVER core-a a0369f1c2e01 2325`
    expect(readLicenseFile(text)).toEqual({
      kind: 'read',
      server: {
        serverName: 'core-a,core-b,core-c',
        serverId: 'a0369f1c2e01,a0369f1c2e02,a0369f1c2e03',
        serverIdType: 'ETHERNET,ETHERNET,ETHERNET',
        quorum: true,
        numServers: 3,
      },
      port: 2325,
    })
  })
})

describe('encodings', () => {
  const text = 'SERVER lic01 001a2b3c4d5e 1055\r\n# Lizenz für Zürich\r\nVENDOR ansyslmd\r\n'
  const expected = single('lic01', '001a2b3c4d5e', 'ETHERNET')
  const utf16 = (littleEndian: boolean) => {
    const marked = `\ufeff${text}`
    const view = new DataView(new ArrayBuffer(marked.length * 2))
    for (let at = 0; at < marked.length; at++) view.setUint16(at * 2, marked.charCodeAt(at), littleEndian)
    return new Uint8Array(view.buffer)
  }
  test.each([
    ['UTF-8', bytes(text)],
    ['UTF-8 with a byte order mark', bytes(`\ufeff${text}`)],
    ['UTF-16, little endian', utf16(true)],
    ['UTF-16, big endian', utf16(false)],
    ['Latin-1', Uint8Array.from(text, (character) => character.charCodeAt(0))],
    ['text with a byte order mark', `\ufeff${text}`],
    ['line ends of carriage returns only', text.replaceAll('\r\n', '\r')],
  ])('the reader understands %s', (_, input) => {
    expect(server(input)).toEqual(expected)
  })

  test.each([
    ['UTF-16 without a byte order mark', utf16(true).slice(2)],
    ['a null character', bytes(`${text}\0`)],
    ['a null character in text', `${text}\0`],
    ['UTF-32', Uint8Array.from([0xff, 0xfe, 0, 0, 0x53, 0, 0, 0])],
  ])('%s is a binary file', (_, input) => {
    expect(server(input)).toMatch(/^This is a binary file, not a license file\. /)
  })
})

describe('a file that is no license file', () => {
  test.each<[string, Uint8Array | string, string]>([
    ['an empty file', new Uint8Array(), 'This is an empty file,'],
    ['white space', ' \r\n\t\n', 'This is an empty file,'],
    ['a PNG', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), 'This is a PNG image,'],
    ['a JPEG', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'This is a JPEG image,'],
    ['a PDF', bytes('%PDF-1.7\nSERVER lic01 001a2b3c4d5e'), 'This is a PDF document,'],
    ['a ZIP', Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0]), 'This is a ZIP archive or an Office document,'],
    ['an RTF document', bytes('{\\rtf1 SERVER lic01 001a2b3c4d5e}'), 'This is an RTF document,'],
    ['a web page', '<!DOCTYPE html>\n<html><body>\nSERVER lic01 001a2b3c4d5e\n</body>', 'This is a web page,'],
    ['a part of a web page', '\n<div class="lic">\nSERVER lic01 001a2b3c4d5e 1055\n</div>', 'This is a web page,'],
    ['an XML document', '<?xml version="1.0"?><license><server/></license>', 'This is an XML document,'],
    [
      'output of lmstat',
      'lmstat - Copyright (c) 1989-2023 Flexera. All Rights Reserved.\nFlexible License Manager status on Fri 7/17/2026 13:31\n\nLicense server status: 27000@lic01\n    License file(s) on lic01: /opt/license.lic:\n\n     lic01: license server UP (MASTER) v11.19.5\n',
      'This is the output of lmstat,',
    ],
    [
      'a part of the output of lmstat',
      'License server status: 1055@lic01\nUsers of anshpc:  (Total of 10 licenses issued;  Total of 3 licenses in use)',
      'This is the output of lmstat,',
    ],
    [
      'output of lmhostid',
      'lmhostid - Copyright (c) 1989-2022 Flexera. All Rights Reserved.\nThe FlexNet host ID of this machine is "3cecef4b7d10"',
      'This is the output of lmhostid,',
    ],
    [
      'a log file',
      '12:01:03 (lmgrd) FlexNet Licensing (v11.19) started on lic01\n12:01:03 (lmgrd) SERVER',
      'This is a log of a license manager,',
    ],
    [
      'an options file',
      '# who may use what\nGROUP team ada bob\nINCLUDE anshpc GROUP team\nMAX 5 hfss USER bob\n',
      'This is an options file,',
    ],
    ['an options file of one line', 'TIMEOUTALL 3600', 'This is an options file,'],
    [
      'an RLM license',
      'HOST localhost ANY 5053\nISV mantech port=5055\nLICENSE mantech mdrm 4 11-may-2026 30 sig="c2N2"',
      'This is an RLM license file,',
    ],
    [
      'an RLM license with a SERVER line',
      'SERVER lic01 001a2b3c4d5e 5053\nISV foundry\nLICENSE foundry nuke 2024 permanent 5',
      'This is an RLM license file,',
    ],
    [
      'client settings',
      'SERVER=1055@lic01\nANSYSLI_SERVERS=2325@lic01\n',
      'This file has no SERVER line, so it is not a license file.',
    ],
    ['prose', 'Server is down.\nPlease call support.', 'This file has no SERVER line, so it is not a license file.'],
    ['a JSON file', '{"server": "lic01"}', 'This file has no SERVER line, so it is not a license file.'],
    [
      'a commented SERVER line',
      '#SERVER lic01 001a2b3c4d5e\nVENDOR v',
      'This file has no SERVER line, so it is not a license file.',
    ],
    [
      'a node-locked license',
      'INCREMENT geometry ansyslmd 9999.9999 31-dec-2026 uncounted HOSTID=3cecef4b7d10 SIGN=0',
      'This license file has no SERVER line: its licenses are locked to single computers.',
    ],
  ])('the reader refuses %s', (_, input, beginning) => {
    const reason = server(input)
    expect(reason).toContain(beginning)
    expect(reason).toContain('Upload the license file of a license server, for example license.lic.')
  })
})

test('a decimal host id is a disk serial number, whose eight hexadecimal digits are taken', () => {
  expect(readLicenseFile('SERVER host #2005771344 1700\nVENDOR v')).toMatchObject({
    kind: 'read',
    server: { serverName: 'host', serverId: '778da450', serverIdType: 'DISK_SERIAL_NUM' },
    port: 1700,
  })
})

describe('servers that cannot be used', () => {
  const form = (id: string) => server(`SERVER lic01 ${id} 1055\nVENDOR v`)

  test.each([
    ['ANY', 'ANY'],
    ['any', 'ANY'],
    ['DEMO', 'DEMO'],
    ['#4294967296', '#4294967296 (decimal)'],
    ['HOSTNAME=lic01.example.com', 'HOSTNAME='],
    ['INTERNET=195.186.*.*', 'INTERNET='],
    ['ID=12345', 'ID='],
    ['ID_STRING=abc', 'ID_STRING='],
    ['COMPOSITE=1A2B3C4D5E6F', 'COMPOSITE='],
    ['VMW_UUID=564d1a2b', 'VMW_UUID='],
    ['VDH=FOX1234', 'VDH='],
    ['FLEXID=7-b28520b9', 'FLEXID=7-'],
    ['FLEXID=10-b28520b9', 'FLEXID=10-'],
    ['FLEXID=A-b28520b9', 'FLEXID=A-'],
    ['8-b28520b9', 'FLEXID=8-'],
  ])('host id %s is named as %s', (id, name) => {
    expect(form(id)).toBe(
      `The SERVER line has a host id of the form ${name}, which is not supported. Supported are Ethernet addresses, disk serial numbers and FLEXID dongles that start with 9-.`,
    )
  })

  test.each([
    ['SERVER lic01\nVENDOR v', 'Server id is not defined'],
    ['SERVER\nVENDOR v', 'Server id is not defined'],
    [
      'SERVER lic01 27000\nVENDOR v',
      'Invalid ETHERNET server id: 27000. It must have 12 hexadecimal digits (0-9, a-f, A-F).',
    ],
    [
      'SERVER lic01 123bc3434fda2 28850\nDAEMON v',
      'Invalid ETHERNET server id: 123bc3434fda2. It must have 12 hexadecimal digits (0-9, a-f, A-F).',
    ],
    [
      'SERVER lic01 DISK_SERIAL_NUM=e72bfa4\nVENDOR v',
      'Invalid DISK_SERIAL_NUM server id: e72bfa4. It must have 8 hexadecimal digits (0-9, a-f, A-F). Check for missing characters and add leading zeroes.',
    ],
    [
      'SERVER a 001a2b3c4d5e\nSERVER b 001a2b3c4d5f\nVENDOR v',
      'Server id 001a2b3c4d5e,001a2b3c4d5f is not a single or triad server',
    ],
    [
      'SERVER a 1a2b3c41\nSERVER b 1a2b3c42\nSERVER c 1a2b3c43\nSERVER d 1a2b3c44\nVENDOR v',
      'Server id 1a2b3c41,1a2b3c42,1a2b3c43,1a2b3c44 is not a single or triad server',
    ],
    [
      'SERVER a 001a2b3c4d5e\nSERVER b 001a2b3c4d5f\nSERVER c DISK_SERIAL_NUM=1a2b3c43\nVENDOR v',
      'Triad servers must all be the same host id type',
    ],
    [
      'SERVER a 001a2b3c4d5e\nSERVER b 001a2b3c4d5e\nSERVER c 001a2b3c4d5f\nVENDOR v',
      'Triad servers must have three different host ids',
    ],
    [
      'SERVER <script>alert(1)</script> 001a2b3c4d5e\nVENDOR v',
      'Line 1: the host name <script>alert(1)</script> cannot be used. Please remove spaces and special characters.',
    ],
    [
      'SERVER lic\u202e10 001a2b3c4d5e\nVENDOR v',
      'Line 1: the host name lic\ufffd10 cannot be used. Please remove spaces and special characters.',
    ],
    [
      'SERVER a,b 001a2b3c4d5e\nVENDOR v',
      'Line 1: the host name a,b cannot be used. Please remove spaces and special characters.',
    ],
    [
      '# Berlin\nSERVER fe80::1 001a2b3c4d5e 1055\nVENDOR v',
      'Line 2: the host name fe80::1 cannot be used. Please remove spaces and special characters.',
    ],
    [
      `SERVER ${'a'.repeat(256)} 001a2b3c4d5e 1055\nVENDOR v`,
      `Line 1: the host name ${'a'.repeat(100)}… cannot be used. A host name has at most 255 characters.`,
    ],
    ...['0', '65536', '70000', '99999999', '-1', '27000x', 'TCP:27000', '10.5', '٣'].map((port): [string, string] => [
      `# Berlin\n\nSERVER lic01 001a2b3c4d5e ${port}\nVENDOR v`,
      `Line 3: the port ${port} is not a number from 1 to 65535.`,
    ]),
    [
      'SERVER a 001a2b3c4d5d 1055\nSERVER b 001a2b3c4d5e 1055\nSERVER c \\\n\t001a2b3c4d5f 0\nVENDOR v',
      'Line 3: the port 0 is not a number from 1 to 65535.',
    ],
  ])('the reader refuses %j', (text, reason) => {
    expect(readLicenseFile(text)).toEqual({ kind: 'refused', reason })
  })
})

test('reads back the files that we write', () => {
  for (const of of [issue, triadIssue]) {
    const { port, ...host } = of.host
    expect(readLicenseFile(licenseText([leased], of, fakeSign) ?? '')).toEqual({
      kind: 'read',
      server: { ...host, quorum: hostParts(host.serverId).length === 3, numServers: hostParts(host.serverId).length },
      port,
    })
  }
})

test('answers any bytes with a server or a reason', () => {
  const parts = fc.constantFrom(
    'SERVER ',
    'lic01 ',
    '001a2b3c4d5e ',
    'ANY ',
    '\n',
    '\r',
    '\\',
    '"',
    '#',
    '=',
    '<',
    '\u202e',
    'VENDOR ',
    '9-',
  )
  const anything = fc.oneof(fc.string({ unit: parts, maxLength: 30 }).map(bytes), fc.uint8Array({ maxLength: 60 }))
  fc.assert(
    fc.property(anything, (input) => {
      const reading = readLicenseFile(input)
      if (reading.kind !== 'read') expect(reading.reason.length).toBeGreaterThan(10)
      else expect(hostParts(reading.server.serverId).length).toBe(reading.server.numServers)
    }),
    { numRuns: 2000 },
  )
})
