import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError } from '#server/config/config-error.ts'
import { SETTINGS } from '#server/config/settings.ts'
import { readConfig } from '#server/config.ts'

test('several processes need a real identity provider', () => {
  const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'portal', OIDC_CLIENT_SECRET: 'secret' }
  expect(readConfig({ PROCESSES: '2', ...provider }).processes).toBe(2)
  expect(() => readConfig({ PROCESSES: '0', ...provider })).toThrow('PROCESSES must be a whole number from 1 to 64')
})

test('without settings, the portal is a demo on this machine', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    origin: 'http://127.0.0.1:8080',
    environment: 'dev',
    demo: 'loopback',
    dataDir: path.resolve('.data'),
  })
  expect(config.databaseUrl).toBeUndefined()
  expect(config.exports).toMatchObject({ perPerson: 20, perAccount: 100, minFreeBytes: 1024 ** 3 })
})

const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'portal', OIDC_CLIENT_SECRET: 'secret' }

/** Enough for every setting to have a meaning. */
const COMPLETE = {
  ...provider,
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLE_MAP: 'LP-Ops=busops',
  PUBLIC_URL: 'https://portal.vendor.example',
  DATABASE_URL: 'postgres://portal:pass@db.example/portal',
  BACKUP_DIR: '/backups',
}

const NO_DATABASE = [
  'mysql://db/portal',
  'postgres:portal',
  'postgres://',
  'postgres://db',
  'postgres://a:%zz@db/portal',
]
const NO_ADDRESS = ['vendor.example', 'http:vendor.example', 'ftp://vendor.example', 'https://', 'https://a:99999']
const NO_NUMBER = ['abc', '-1', '1.5', '1e3', '0x10', '99999999999']
const NOT_YES = ['yes', 'TRUE', '2']
const NO_LINE = ['two\nlines']
const KEY = 'a'.repeat(64)

/** Values that no installation can mean, for every setting that there is. */
const WRONG: Record<keyof typeof SETTINGS, readonly string[]> = {
  PORT: [...NO_NUMBER, '0', '70000'],
  HOST: ['not a host', 'http://127.0.0.1', '127.0.0.1:8080', '[::1]', '::zz', '-', 'a..b'],
  PUBLIC_URL: [
    ...NO_ADDRESS,
    'https://x.example/sub',
    'https://x.example?a',
    'https://x.example#a',
    'https://ann:pw@x.example',
  ],
  DATA_DIR: NO_LINE,
  PORTAL_ENV: ['production', 'PROD', 'test'],
  PROCESSES: [...NO_NUMBER, '0', '65'],
  DRAIN_SECONDS: [...NO_NUMBER, '301'],
  TRUST_PROXY: ['banana', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.1,', '10.0.0.1/8/8', '10.0.0.1,10.0.0.1'],
  NODE_EXTRA_CA_CERTS: ['/none', '/etc', 'package.json'],
  DEMO: NOT_YES,
  DEMO_USAGE: [...NO_NUMBER, '1999'],
  DATABASE_URL: NO_DATABASE,
  DATABASE_OWNER_URL: NO_DATABASE,
  DATABASE_REPLICA_URL: NO_DATABASE,
  REPLICA_MAX_LAG_SECONDS: [...NO_NUMBER, '0', '3601'],
  INSTALLATION_KEY: ['short', 'g'.repeat(64), `${KEY} ${KEY}`],
  OIDC_ISSUER: [...NO_ADDRESS, 'https://id.example?a=b', 'https://id.example#a', 'https://ann:pw@id.example'],
  OIDC_CLIENT_ID: NO_LINE,
  OIDC_CLIENT_SECRET: NO_LINE,
  OIDC_CLIENT_AUTH: ['jwt', 'Basic'],
  OIDC_TRUST_EMAIL: NOT_YES,
  OIDC_ROLE_CLAIM: NO_LINE,
  OIDC_ROLE_MAP: ['LP-Ops', 'LP-Ops=boss', '=busops', 'LP-Ops=busops,', 'LP-Ops=busops,LP-Ops=admin'],
  FRESH_SIGN_IN_MINUTES: [...NO_NUMBER, '721'],
  SMTP_URL: ['http://mail', 'mail.example', 'smtp:mail.example', 'smtp://', 'smtp://a:%zz@mail', 'smtp://mail:0'],
  MAIL_FROM: ['nonsense', '<>', 'Portal <portal>', 'Portal <a@b> <c@d>', 'Por\ntal <a@b>'],
  WEBHOOK_ALLOW: ['hooks.internal', 'https://b:2', 'a:99999', 'a:0', ':443', 'a:1/path', 'ann@b:2', '[::1]', 'a:1,a:1'],
  RATE_LIMIT: [...NO_NUMBER, '0'],
  SERVICE_RATE_LIMIT: [...NO_NUMBER, '0'],
  PUBLIC_API_DOCS: NOT_YES,
  ALERT_REFRESH_MINUTES: [...NO_NUMBER, '0', '1441'],
  REHOSTING: NOT_YES,
  LOG_LEVEL: ['verbose', 'WARN', '30'],
  LOG_PERSONAL_DATA: NOT_YES,
  METRICS_TOKEN: ['two words', 'tök', ...NO_LINE],
  OTEL_EXPORTER_OTLP_ENDPOINT: [...NO_ADDRESS, 'collector:4318'],
  OTEL_EXPORTER_OTLP_HEADERS: ['secret', 'a=', '=b', 'a b=c', 'a=%zz', 'a=%0a', 'a=1,A=2', 'a=%F0%9F%98%80'],
  OTEL_SERVICE_NAME: NO_LINE,
  OTEL_TRACES_SAMPLER_ARG: ['2', '-1', '0.', 'half', '1.5'],
  EXPORTS_PER_PERSON: [...NO_NUMBER, '0', '51'],
  EXPORTS_PER_ACCOUNT: [...NO_NUMBER, '0'],
  EXPORT_MB_PER_PERSON: [...NO_NUMBER, '0'],
  EXPORT_MB_PER_ACCOUNT: [...NO_NUMBER, '0'],
  EXPORT_MB_TOTAL: [...NO_NUMBER, '0'],
  EXPORT_MIN_FREE_MB: NO_NUMBER,
  BACKUP_DIR: NO_LINE,
  BACKUP_AT: ['2:15', '24:00', 'Sunday 02:15', 'Sun', 'daily'],
  DRILL_AT: ['4:15', 'Sun 04:60', 'weekly'],
  BACKUP_KEEP_DAYS: [...NO_NUMBER, '0'],
  BACKUP_PASSPHRASE: ['too short', 'long enough,\nin two lines'],
  DRILL_DATABASE_URL: NO_DATABASE,
  AUDIT_RETENTION_DAYS: [...NO_NUMBER, '0'],
  BRAND_NAME: NO_LINE,
  BRAND_LOGO_URL: ['javascript:alert(1)', 'logo.svg', '//evil.example/logo.svg', '/\\evil.example/logo.svg'],
  BRAND_COLOR: ['blue', '#fff', '3451b2'],
  PROFILE_EDIT_URL: NO_ADDRESS,
  DOCUMENTATION_URL: NO_ADDRESS,
  SUPPORT_URL: NO_ADDRESS,
}

describe.each(Object.entries(WRONG))('%s', (name, values) => {
  test.each(values)('%j stops the start with one line that names the setting', (value) => {
    const { message } = refusalOf({ ...COMPLETE, [name]: value })
    expect(message).toMatch(new RegExp(`^${name} must be [^\\n]+$`))
    if (SETTINGS[name as keyof typeof SETTINGS].isSecret) expect(message).not.toContain(', not ')
  })
})

function refusalOf(env: Record<string, string>): ConfigError {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error(`${JSON.stringify(env)} was accepted`)
}

test.each([
  [{ PORTAL_ENV: 'production' }, 'PORTAL_ENV must be dev, uat, prod, not "production"'],
  [{ PORTAL_ENV: 'prod' }, 'OIDC_ISSUER is not set: production needs an identity provider'],
  [{ DEMO: '0' }, 'OIDC_ISSUER is not set: a portal without demo people needs an identity provider'],
  [{ PORTAL_ENV: 'prod', DEMO: '1' }, 'DEMO=1 is refused with PORTAL_ENV=prod'],
  [{ ...provider, DEMO: '1' }, 'DEMO=1 is refused with OIDC_ISSUER: people sign in there'],
  [
    { PUBLIC_URL: 'https://portal.example' },
    'PUBLIC_URL https://portal.example is not on this machine, where demo people sign in: set OIDC_ISSUER for a real identity provider, or DEMO=1 to let everybody in as a demo person',
  ],
  [
    { HOST: '192.0.2.1' },
    'PUBLIC_URL http://192.0.2.1:8080 is not on this machine, where demo people sign in: set OIDC_ISSUER for a real identity provider, or DEMO=1 to let everybody in as a demo person',
  ],
  [
    { TRUST_PROXY: '10.0.0.1, banana' },
    'TRUST_PROXY must be addresses, ranges or loopback, linklocal, uniquelocal, not "banana"',
  ],
  [
    { INSTALLATION_KEY: `${KEY}\nshort` },
    'INSTALLATION_KEY must be 32 random bytes in base64 or hex, such as from "openssl rand -base64 32": entry 2 is not',
  ],
  [{ BACKUP_AT: '02:15' }, 'BACKUP_DIR is not set, and BACKUP_AT needs it'],
  [{ DRILL_AT: 'Sun 04:15' }, 'BACKUP_DIR is not set, and DRILL_AT needs it'],
  [{ DATABASE_REPLICA_URL: 'postgres://x/y' }, 'DATABASE_URL is not set, and DATABASE_REPLICA_URL needs it'],
  [{ OIDC_ISSUER: 'https://id.example' }, 'OIDC_CLIENT_ID is not set, and OIDC_ISSUER needs it'],
  [{ OIDC_CLIENT_ID: 'portal' }, 'OIDC_ISSUER is not set, and OIDC_CLIENT_ID needs it'],
  [{ OIDC_TRUST_EMAIL: '1' }, 'OIDC_ISSUER is not set, and OIDC_TRUST_EMAIL needs it'],
  [
    { ...provider, PORTAL_ENV: 'prod', OIDC_ISSUER: 'http://id.example' },
    'OIDC_ISSUER must begin with https:// in production',
  ],
  [
    { ...provider, PORTAL_ENV: 'prod', PUBLIC_URL: 'http://portal.example' },
    'PUBLIC_URL must begin with https:// in production',
  ],
  [{ ...provider, PORTAL_ENV: 'prod', HOST: '192.0.2.1' }, 'PUBLIC_URL must begin with https:// in production'],
  [{ ...provider, OIDC_ROLE_CLAIM: 'groups' }, 'OIDC_ROLE_MAP is not set, and OIDC_ROLE_CLAIM needs it'],
  [{ ...provider, OIDC_ROLE_MAP: 'LP-Ops=busops' }, 'OIDC_ROLE_CLAIM is not set, and OIDC_ROLE_MAP needs it'],
])('%j stops the start with a line that says why', (env, line) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(line))
})

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
  ['PUBLC_URL', 'PUBLIC_URL'],
  ['PORTAL_EVN', 'PORTAL_ENV'],
  ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
  ['BACKUP_KEEPDAYS', 'BACKUP_KEEP_DAYS'],
  ['database_url', 'DATABASE_URL'],
])('the misspelled name %s stops the start with a line that names %s', (typed, meant) => {
  expect(() => readConfig({ [typed]: '1' })).toThrow(
    new ConfigError(`${typed} is not a setting: did you mean ${meant}?`),
  )
})

test('a setting that is no secret is not read from a file', () => {
  expect(() => readConfig({ PORT_FILE: '/run/port' })).toThrow(
    'PORT_FILE is not a setting: only secrets are read from files, so set PORT',
  )
})

test('names of other programs are left alone', () => {
  const others = [
    'HOME',
    'HOSTNAME',
    'host',
    'PORTAL_PORT',
    'PORTAL_SERVICE_HOST',
    'PORTAL_URL',
    'DATABASE',
    'OTEL_SDK_DISABLED',
  ]
  expect(readConfig(Object.fromEntries(others.map((name) => [name, 'x'])))).toMatchObject({ port: 8080 })
})

test('every setting that another one needs exists', () => {
  const needed = Object.values(SETTINGS).flatMap(({ needs }) => needs)
  expect(needed.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([])
})

test.each(['http://localhost:8080', 'http://portal.localhost', 'https://127.0.0.2', 'http://[::1]:8080'])(
  'a demo at %s starts without DEMO=1',
  (address) => {
    expect(readConfig({ PUBLIC_URL: address })).toMatchObject({ demo: 'loopback', origin: address })
  },
)

test.each([
  { PORTAL_ENV: 'prod', OIDC_ISSUER: 'http://127.0.0.1:9000' },
  { PORTAL_ENV: 'prod', OIDC_ISSUER: 'http://localhost:9000' },
  { PORTAL_ENV: 'uat', OIDC_ISSUER: 'http://keycloak:8080/realms/portal' },
])('%j is a usable provider', (settings) => {
  expect(readConfig({ ...provider, ...settings }).signIn).toMatchObject({ clientAuth: 'basic' })
})

test('reads every setting in each form that it accepts', () => {
  const config = readConfig({
    TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1',
    BRAND_LOGO_URL: '/logo.svg',
    MAIL_FROM: 'portal@vendor.example',
  })
  expect(config.trustProxy).toEqual(['loopback', '10.0.0.0/8', '::1'])
  expect(config.brand.logoUrl).toBe('/logo.svg')
  expect(config.mail.from).toBe('portal@vendor.example')
})

test('a real provider switches the demo off', () => {
  const config = readConfig({
    PORTAL_ENV: 'prod',
    PUBLIC_URL: 'https://licensing.vendor.example/',
    OIDC_ISSUER: 'https://id.vendor.example',
    OIDC_CLIENT_ID: 'portal',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_ROLE_CLAIM: 'groups',
    OIDC_ROLE_MAP: 'LP-Ops=busops, cn=LP-Help = support',
  })
  expect(config.demo).toBe('off')
  expect(config.origin).toBe('https://licensing.vendor.example')
  expect([...(config.signIn?.roleMap ?? [])]).toEqual([
    ['LP-Ops', 'busops'],
    ['cn=LP-Help', 'support'],
  ])
})

function secretFile(content: string, mode: number): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'secret-'))
  onTestFinished(() => fs.rmSync(directory, { recursive: true }))
  const file = path.join(directory, 'secret')
  fs.writeFileSync(file, content)
  fs.chmodSync(file, mode)
  return file
}

test.each([
  [
    'DATABASE_URL',
    'postgres://portal:pass@db.example/portal',
    { databaseUrl: 'postgres://portal:pass@db.example/portal' },
  ],
  ['SMTP_URL', 'smtps://portal:pass@mail.example', { mail: { smtpUrl: 'smtps://portal:pass@mail.example' } }],
  ['METRICS_TOKEN', 'token', { metricsToken: 'token' }],
  ['BACKUP_PASSPHRASE', 'correct horse', { backup: { passphrase: 'correct horse' } }],
])('%s can be read from a file', (name, value, expected) => {
  expect(readConfig({ [`${name}_FILE`]: secretFile(`${value}\n`, 0o644) })).toMatchObject(expected)
})

test('in production, the client secret is read from a file of the portal alone', () => {
  const { OIDC_CLIENT_SECRET: _, ...others } = provider
  const read = (mode: number) =>
    readConfig({ ...others, PORTAL_ENV: 'prod', OIDC_CLIENT_SECRET_FILE: secretFile('from a file\n', mode) })
  expect(read(0o440).signIn).toMatchObject({ clientSecret: 'from a file' })
  expect(() => read(0o444)).toThrow(/^OIDC_CLIENT_SECRET_FILE .* can be read by every user of this machine: chmod/)
})

test('a secret file that is missing, empty or given beside its setting stops the start', () => {
  const empty = secretFile(' \n', 0o600)
  expect(() => readConfig({ METRICS_TOKEN_FILE: '/none' })).toThrow('METRICS_TOKEN_FILE /none cannot be read: ENOENT')
  expect(() => readConfig({ METRICS_TOKEN_FILE: empty })).toThrow(`METRICS_TOKEN_FILE ${empty} is empty`)
  expect(() => readConfig({ METRICS_TOKEN: 'x', METRICS_TOKEN_FILE: empty })).toThrow(
    'METRICS_TOKEN and METRICS_TOKEN_FILE are both set: set one of them',
  )
})

test('webhooks may go to private hosts by name and port, and use http in dev only', () => {
  const { webhooks } = readConfig({ WEBHOOK_ALLOW: 'Hooks.Internal:8443, [::1]:9000,10.0.0.7:443' })
  expect([...webhooks.allowed]).toEqual(['hooks.internal:8443', '[::1]:9000', '10.0.0.7:443'])
  expect(webhooks.isHttpAllowed).toBe(true)
  expect(readConfig({ PORTAL_ENV: 'uat' }).webhooks).toEqual({ isHttpAllowed: false, allowed: new Set() })
})
