import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig } from '#server/config.ts'

test('several processes need a real identity provider', () => {
  expect(() => readConfig({ PROCESSES: '2' })).toThrow('PROCESSES needs OIDC_ISSUER')
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
  })
  expect(config.databaseUrl).toBeUndefined()
  expect(config.exports).toMatchObject({ perPerson: 20, perAccount: 100, minFreeBytes: 1024 ** 3 })
})

const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'portal', OIDC_CLIENT_SECRET: 'secret' }

test.each([
  [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535, not "abc"'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 1 to 65535, not "70000"'],
  [{ PORTAL_ENV: 'production' }, 'PORTAL_ENV must be dev, uat, prod, not "production"'],
  [{ PORTAL_ENV: 'prod' }, 'OIDC_ISSUER is not set: production needs an identity provider'],
  [{ DEMO: '0' }, 'OIDC_ISSUER is not set: a portal without demo people needs an identity provider'],
  [{ PORTAL_ENV: 'prod', DEMO: '1' }, 'DEMO=1 is refused with PORTAL_ENV=prod'],
  [
    { PUBLIC_URL: 'https://portal.example' },
    'PUBLIC_URL https://portal.example is not on this machine, where demo people sign in: set OIDC_ISSUER for a real identity provider, or DEMO=1 to let everybody in as a demo person',
  ],
  [
    { HOST: '192.0.2.1' },
    'PUBLIC_URL http://192.0.2.1:8080 is not on this machine, where demo people sign in: set OIDC_ISSUER for a real identity provider, or DEMO=1 to let everybody in as a demo person',
  ],
  [{ DEMO: 'yes' }, 'DEMO must be 1 or 0, not "yes"'],
  [{ BACKUP_AT: '02:15' }, 'BACKUP_DIR is not set, and BACKUP_AT needs it'],
  [{ DRILL_AT: 'Sun 04:15' }, 'BACKUP_DIR is not set, and DRILL_AT needs it'],
  [
    { BACKUP_DIR: '/backups', BACKUP_AT: '2:15' },
    'BACKUP_AT must be a time of day in UTC such as 02:15, or Sun 04:15, not "2:15"',
  ],
  [{ BACKUP_PASSPHRASE: 'too short' }, 'BACKUP_PASSPHRASE must have 12 characters or more'],
  [{ AUDIT_RETENTION_DAYS: '0' }, 'AUDIT_RETENTION_DAYS must be a whole number from 1 to 36500, not "0"'],
  [{ BACKUP_KEEP_DAYS: '0' }, 'BACKUP_KEEP_DAYS must be a whole number from 1 to 36500, not "0"'],
  [{ DRILL_DATABASE_URL: 'x' }, 'DRILL_DATABASE_URL must be an address that begins with postgres:// or postgresql://'],
  [{ DEMO_USAGE: '1e6' }, 'DEMO_USAGE must be a whole number from 2000 to 10000000, not "1e6"'],
  [{ PUBLIC_URL: 'portal.example' }, 'PUBLIC_URL must be an address that begins with http:// or https://'],
  [{ PUBLIC_URL: 'http://x.example/sub' }, 'PUBLIC_URL must end after the host: the portal cannot live below /sub'],
  [
    { TRUST_PROXY: 'banana' },
    'TRUST_PROXY must be addresses, ranges or loopback, linklocal, uniquelocal, not "banana"',
  ],
  [
    { TRUST_PROXY: '10.0.0.0/33' },
    'TRUST_PROXY must be addresses, ranges or loopback, linklocal, uniquelocal, not "10.0.0.0/33"',
  ],
  [{ WEBHOOK_ALLOW: 'hooks.internal' }, 'WEBHOOK_ALLOW must read host:port, …, not "hooks.internal"'],
  [{ WEBHOOK_ALLOW: 'a:1, https://b:2' }, 'WEBHOOK_ALLOW must read host:port, …, not "https://b:2"'],
  [{ WEBHOOK_ALLOW: 'a:99999' }, 'WEBHOOK_ALLOW must read host:port, …, not "a:99999"'],
  [{ BRAND_LOGO_URL: 'javascript:alert(1)' }, 'BRAND_LOGO_URL must be an address that begins with http:// or https://'],
  [{ MAIL_FROM: 'nonsense' }, 'MAIL_FROM must be an email address, or a name and <an address>, not "nonsense"'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address that begins with postgres:// or postgresql://'],
  [{ DATABASE_REPLICA_URL: 'postgres://x/y' }, 'DATABASE_URL is not set, and DATABASE_REPLICA_URL needs it'],
  [
    { DATABASE_URL: 'postgres://x/y', DATABASE_REPLICA_URL: 'postgres://z/y', REPLICA_MAX_LAG_SECONDS: '0' },
    'REPLICA_MAX_LAG_SECONDS must be a whole number from 1 to 3600, not "0"',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an address that begins with http:// or https://',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_HEADERS: 'secret' },
    'OTEL_EXPORTER_OTLP_HEADERS must read name=value, …',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_SAMPLER_ARG: '2' },
    'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "2"',
  ],
  [{ SMTP_URL: 'http://mail' }, 'SMTP_URL must be an address that begins with smtp:// or smtps://'],
  [{ OIDC_ISSUER: 'https://id.example' }, 'OIDC_CLIENT_ID is not set, and OIDC_ISSUER needs it'],
  [{ OIDC_CLIENT_ID: 'portal' }, 'OIDC_CLIENT_ID is set, but OIDC_ISSUER is not'],
  [{ OIDC_CLIENT_AUTH: 'post' }, 'OIDC_CLIENT_AUTH is set, but OIDC_ISSUER is not'],
  [{ ...provider, OIDC_CLIENT_AUTH: 'jwt' }, 'OIDC_CLIENT_AUTH must be basic, post, not "jwt"'],
  [
    { ...provider, PORTAL_ENV: 'prod', OIDC_ISSUER: 'http://id.example' },
    'OIDC_ISSUER must begin with https:// in production',
  ],
  [{ ...provider, OIDC_ROLE_CLAIM: 'groups' }, 'OIDC_ROLE_MAP is not set, and OIDC_ROLE_CLAIM needs it'],
  [{ ...provider, OIDC_ROLE_MAP: 'LP-Ops=busops' }, 'OIDC_ROLE_CLAIM is not set, and OIDC_ROLE_MAP needs it'],
  [{ BRAND_COLOR: 'blue' }, 'BRAND_COLOR must be a color such as #3451b2, not "blue"'],
  [{ EXPORTS_PER_PERSON: '0' }, 'EXPORTS_PER_PERSON must be a whole number from 1 to 50, not "0"'],
  [{ EXPORT_MIN_FREE_MB: '1.5' }, 'EXPORT_MIN_FREE_MB must be a whole number from 0 to 10000000, not "1.5"'],
  [{ ALERT_REFRESH_MINUTES: '0' }, 'ALERT_REFRESH_MINUTES must be a whole number from 1 to 1440, not "0"'],
])('%j stops the start with one line that names it', (env, line) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(line))
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
    OIDC_ROLE_MAP: 'LP-Ops=busops, LP-Help=support',
  })
  expect(config.demo).toBe('off')
  expect(config.origin).toBe('https://licensing.vendor.example')
  expect([...(config.signIn?.roleMap ?? [])]).toEqual([
    ['LP-Ops', 'busops'],
    ['LP-Help', 'support'],
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
