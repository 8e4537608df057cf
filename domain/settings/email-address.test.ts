import { expect, test } from 'vitest'
import { EMAIL_FORMAT, EMAIL_REQUIRED, emailError, FREE_DOMAIN, readEmail } from '#domain/settings/email-address.ts'

const freeDomains = new Set(['gmail.com', 'web.de'])

test.each([
  ['ada.admin@aerodyne.example', undefined],
  [' Ada.Admin@AERODYNE.example ', undefined],
  ["o'hara+licenses@sub.aero-dyne.co.uk", undefined],
  ['jürgen@müller.de', undefined],
  ['a@xn--mller-kva.xn--p1ai', undefined],
  ['', EMAIL_REQUIRED],
  ['   ', EMAIL_REQUIRED],
  ['ada', EMAIL_FORMAT],
  ['ada@', EMAIL_FORMAT],
  ['@aerodyne.example', EMAIL_FORMAT],
  ['ada@aerodyne', EMAIL_FORMAT],
  ['ada@@aerodyne.example', EMAIL_FORMAT],
  ['ada admin@aerodyne.example', EMAIL_FORMAT],
  ['.ada@aerodyne.example', EMAIL_FORMAT],
  ['ada.@aerodyne.example', EMAIL_FORMAT],
  ['a..da@aerodyne.example', EMAIL_FORMAT],
  ['ada@-aerodyne.example', EMAIL_FORMAT],
  ['ada@aerodyne..example', EMAIL_FORMAT],
  ['ada@aerodyne.123', EMAIL_FORMAT],
  ['ada@127.0.0.1', EMAIL_FORMAT],
  ['ada@aerodyne.example,bob@aerodyne.example', EMAIL_FORMAT],
  ['Ada <ada@aerodyne.example>', EMAIL_FORMAT],
  ['ada@aerodyne.example\r\nBcc: eve@evil.example', EMAIL_FORMAT],
  [`${'a'.repeat(65)}@aerodyne.example`, EMAIL_FORMAT],
  [`ada@${'a'.repeat(250)}.example`, EMAIL_FORMAT],
  ['ada@gmail.com', FREE_DOMAIN],
  ['ADA@GMail.Com', FREE_DOMAIN],
  ['ada@\uff47mail.com', FREE_DOMAIN],
  ['\uff41da@aerodyne.example', EMAIL_FORMAT],
  ['\u212aim@aerodyne.example', EMAIL_FORMAT],
  ['a\u0001da@aerodyne.example', EMAIL_FORMAT],
  ['ada\u200b@aerodyne.example', EMAIL_FORMAT],
  ['ada\u202e@aerodyne.example', EMAIL_FORMAT],
  ['ada@notgmail.com', undefined],
])('the address %j gets the error %s', (email, error) => {
  expect(emailError(email, freeDomains)).toBe(error)
})

test.each([
  ['ada.admin@aerodyne.example', 'ada.admin@aerodyne.example'],
  [' ADA.Admin@Aerodyne.Example\n', 'ada.admin@aerodyne.example'],
  ['\uff21da@aerodyne.example', '\uff21da@aerodyne.example'],
  ['\u212aim@aerodyne.example', '\u212aim@aerodyne.example'],
  ['\u0130da@aerodyne.example', '\u0130da@aerodyne.example'],
  ['\u0131da@aerodyne.example', '\u0131da@aerodyne.example'],
  ['\u00c9va@aerodyne.example', '\u00c9va@aerodyne.example'],
  ['ada\u0000@aerodyne.example', undefined],
  ['ada', undefined],
  ['', undefined],
  [`${'a'.repeat(64)}@${'b.'.repeat(91)}example`, `${'a'.repeat(64)}@${'b.'.repeat(91)}example`],
  [`${'a'.repeat(64)}@${'b.'.repeat(91)}examples`, undefined],
])('%j is stored as %j', (text, kept) => {
  expect(readEmail(text)).toBe(kept)
})
