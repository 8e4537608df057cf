import { describe, expect, test } from 'vitest'
import { isPublicAddress, urlError } from '#domain/webhooks/egress.ts'
import {
  EVENTS_REQUIRED,
  eventsError,
  tidiedUrl,
  URL_CREDENTIALS,
  URL_FRAGMENT,
  URL_NOT_HTTPS,
  URL_NOT_PUBLIC,
  URL_REQUIRED,
  URL_TOO_LONG,
  URL_WRONG,
} from '#domain/webhooks/endpoint.ts'

describe('a public address', () => {
  test.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:8.8.8.8'])(
    'is %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '169.254.170.2',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'not an address',
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('the URL of an endpoint', () => {
  const strict = { isHttpAllowed: false, allowed: new Set<string>(['10.0.0.7:8443', 'hooks.internal:443']) }
  test.each([
    ['https://hooks.example.com/licensing', undefined],
    ['https://hooks.example.com:8443/?team=1', undefined],
    ['https://8.8.8.8/', undefined],
    ['  https://hooks.example.com ', undefined],
    ['', URL_REQUIRED],
    ['hooks.example.com', URL_WRONG],
    ['ftp://hooks.example.com', URL_WRONG],
    ['https://', URL_WRONG],
    [`https://hooks.example.com/${'a'.repeat(500)}`, URL_TOO_LONG],
    ['http://hooks.example.com/', URL_NOT_HTTPS],
    ['https://user:secret@hooks.example.com/', URL_CREDENTIALS],
    ['https://hooks.example.com/#top', URL_FRAGMENT],
    ['https://localhost/', URL_NOT_PUBLIC],
    ['https://hooks.localhost/', URL_NOT_PUBLIC],
    ['https://127.0.0.1/', URL_NOT_PUBLIC],
    ['https://2130706433/', URL_NOT_PUBLIC],
    ['https://0x7f.1/', URL_NOT_PUBLIC],
    ['https://[::1]/', URL_NOT_PUBLIC],
    ['https://[::ffff:127.0.0.1]/', URL_NOT_PUBLIC],
    ['https://169.254.169.254/latest/meta-data', URL_NOT_PUBLIC],
    ['https://10.0.0.7:8443/', undefined],
    ['https://10.0.0.7/', URL_NOT_PUBLIC],
    ['https://hooks.internal/', undefined],
  ])('%s gets the error %s', (url, error) => {
    expect(urlError(url, strict)).toBe(error)
  })

  test('may begin with http:// where the installation allows it, and still needs a public address', () => {
    const dev = { isHttpAllowed: true, allowed: new Set(['127.0.0.1:9000']) }
    expect(urlError('http://hooks.example.com/', dev)).toBeUndefined()
    expect(urlError('http://127.0.0.1:9000/', dev)).toBeUndefined()
    expect(urlError('http://127.0.0.1:9001/', dev)).toBe(URL_NOT_PUBLIC)
  })

  test('is stored without blanks, and with the host in lower case', () => {
    expect(tidiedUrl(' https://Hooks.Example.com ')).toBe('https://hooks.example.com/')
  })
})

test.each([
  [[], EVENTS_REQUIRED],
  [['seats.activated'], undefined],
  [['seats.activated', 'seats.melted'], 'There is no event seats.melted.'],
  [['webhook.test'], 'There is no event webhook.test.'],
])('the choice of events %j is answered with: %s', (events, error) => {
  expect(eventsError(events)).toBe(error)
})
