import fs from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { isStaffRole, type StaffRole } from '#domain/access/roles.ts'
import { parseSchedule, type Schedule } from '#domain/upkeep/schedule.ts'
import { type Egress, hostAndPort } from '#domain/webhooks/egress.ts'
import { type InstallationKey, parseInstallationKey } from '#server/db/installation-key.ts'
import { isLoopbackName } from '#server/loopback.ts'

export type PortalEnvironment = 'dev' | 'uat' | 'prod'

export type Config = {
  port: number
  host: string
  /** The address that people type: scheme, host and port, without a slash at the end. */
  origin: string
  dataDir: string
  databaseUrl: string | undefined
  /** Where people read what they have not just changed. */
  replica: { url: string; maxLagSeconds: number } | undefined
  /** The owner of the tables, who migrates. Without it, the role of `databaseUrl` owns them, or nothing is migrated. */
  databaseOwnerUrl: string | undefined
  /** Keys that wrap the secrets in the database: the first for new ones, the others to open what they have wrapped. */
  installationKeys: readonly InstallationKey[]
  environment: PortalEnvironment
  /** Demo people and demo data; `everywhere` answers other machines too. */
  demo: 'off' | 'loopback' | 'everywhere'
  /** About how many usage transactions the demo data has. */
  demoUsage: number
  signIn: SignInConfig | undefined
  mail: { smtpUrl: string | undefined; from: string }
  /** Where webhooks may be sent. */
  webhooks: Egress
  trustProxy: string[] | undefined
  logLevel: string
  /** Whether logs may have emails and addresses of people. */
  logPersonalData: boolean
  tracing: TracingConfig | undefined
  requestsPerMinute: number
  serviceRequestsPerMinute: number
  /** Sensitive changes need a sign-in that is no older than this many minutes; 0 switches it off. */
  freshSignInMinutes: number
  metricsToken: string | undefined
  /** How many processes share the port on this host. */
  processes: number
  /** How long a portal that received SIGTERM still answers requests and reports that it is not ready. */
  drainSeconds: number
  /** Whether anybody may read the API documentation; otherwise only people who are signed in. */
  publicApiDocs: boolean
  alertRefreshMinutes: number
  /** Whether rehosting is allowed. */
  rehosting: boolean
  exports: ExportLimits
  backup: BackupConfig
  /** Older entries of the audit log may be removed; undefined keeps everything. */
  auditRetentionDays: number | undefined
  links: { profileEdit: string; documentation: string; support: string }
  brand: { name: string; logoUrl: string; color: string }
}

/** The names of its settings are those of OpenTelemetry. */
export type TracingConfig = {
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  /** The share of requests that are traced, 0 to 1. */
  sampled: number
}

/** How much background exports may keep, and how much room they leave on the disk. */
export type ExportLimits = {
  perPerson: number
  perAccount: number
  bytesPerPerson: number
  bytesPerAccount: number
  bytesInTotal: number
  minFreeBytes: number
}

/** Where and when backups are written and tried. */
export type BackupConfig = {
  folder: string | undefined
  at: Schedule | undefined
  drillAt: Schedule | undefined
  keepDays: number
  passphrase: string | undefined
  /** Where drills create their scratch database; by default on the server of the portal. */
  drillDatabaseUrl: string | undefined
}

export type SignInConfig = {
  issuer: string
  clientId: string
  clientSecret: string
  /** How the secret is sent: in a header, percent-encoded as the standard says, or in the form. */
  clientAuth: 'basic' | 'post'
  /** Providers that never send email_verified (Entra ID) can be trusted as a whole; a `false` is never overruled. */
  trustEmail: boolean
  roleClaim: string | undefined
  /** Value of the claim → our role. */
  roleMap: ReadonlyMap<string, StaffRole>
}

/** An invalid setting. The start prints its message as one line. */
export class ConfigError extends Error {}

const MEGABYTE = 1024 * 1024

type Environment = Readonly<Record<string, string | undefined>>

/** Settings that may also be read from a file, which `<name>_FILE` names. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'DATABASE_OWNER_URL',
  'INSTALLATION_KEY',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'BACKUP_PASSPHRASE',
  'DRILL_DATABASE_URL',
]

/** The only reader of the environment. */
export function readConfig(given: Environment): Config {
  const env = withSecretFiles(given)
  const port = whole(env, 'PORT', 8080, 1, 65_535)
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const environment = oneOf(env, 'PORTAL_ENV', ['dev', 'uat', 'prod'] as const, 'dev')
  const databaseOwnerUrl = url(env, 'DATABASE_OWNER_URL', ['postgres:', 'postgresql:'])?.href
  if (databaseOwnerUrl) required(env, 'DATABASE_URL', 'DATABASE_OWNER_URL')
  const signIn = readSignIn(env, environment)
  const demo = readDemo(env, environment, signIn)
  if (demo === 'off' && !signIn)
    throw new ConfigError(
      `OIDC_ISSUER is not set: ${environment === 'prod' ? 'production' : 'a portal without demo people'} needs an identity provider`,
    )
  const processes = whole(env, 'PROCESSES', 1, 1, 64)
  if (processes > 1 && demo !== 'off')
    throw new ConfigError('PROCESSES needs OIDC_ISSUER: demo people sign in to one process only')
  const origin = publicOrigin(env) ?? `http://${isAnyAddress(host) ? '127.0.0.1' : bracketed(host)}:${port}`
  if (demo === 'loopback' && !isLoopbackName(new URL(origin).hostname))
    throw new ConfigError(
      `PUBLIC_URL ${origin} is not on this machine, where demo people sign in: set OIDC_ISSUER for a real identity provider, or DEMO=1 to let everybody in as a demo person`,
    )
  return {
    port,
    host,
    origin,
    dataDir: path.resolve(text(env, 'DATA_DIR') ?? '.data'),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href,
    replica: readReplica(env),
    databaseOwnerUrl,
    installationKeys: installationKeys(env, 'INSTALLATION_KEY'),
    environment,
    demo,
    demoUsage: whole(env, 'DEMO_USAGE', 200_000, 2_000, 10_000_000),
    signIn,
    mail: {
      smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:'])?.href,
      from: sender(env, 'MAIL_FROM') ?? 'Licensing Portal <portal@vendor.example>',
    },
    webhooks: { isHttpAllowed: environment === 'dev', allowed: hosts(env, 'WEBHOOK_ALLOW') },
    trustProxy: proxies(env, 'TRUST_PROXY'),
    logLevel: oneOf(
      env,
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const,
      environment === 'dev' ? 'warn' : 'info',
    ),
    logPersonalData: yesNo(env, 'LOG_PERSONAL_DATA') ?? false,
    tracing: readTracing(env),
    requestsPerMinute: whole(env, 'RATE_LIMIT', 3000, 1, 1_000_000_000),
    freshSignInMinutes: whole(env, 'FRESH_SIGN_IN_MINUTES', demo === 'off' ? 60 : 0, 0, 720),
    serviceRequestsPerMinute: whole(env, 'SERVICE_RATE_LIMIT', 30_000, 1, 1_000_000_000),
    metricsToken: text(env, 'METRICS_TOKEN'),
    processes,
    drainSeconds: whole(env, 'DRAIN_SECONDS', 5, 0, 300),
    publicApiDocs: yesNo(env, 'PUBLIC_API_DOCS') ?? environment === 'dev',
    alertRefreshMinutes: whole(env, 'ALERT_REFRESH_MINUTES', 15, 1, 1440),
    rehosting: yesNo(env, 'REHOSTING') ?? true,
    exports: {
      // The list of a person's exports shows 50, so every export that counts can be seen and deleted there.
      perPerson: whole(env, 'EXPORTS_PER_PERSON', 20, 1, 50),
      perAccount: whole(env, 'EXPORTS_PER_ACCOUNT', 100, 1, 100_000),
      bytesPerPerson: whole(env, 'EXPORT_MB_PER_PERSON', 4096, 1, 10_000_000) * MEGABYTE,
      bytesPerAccount: whole(env, 'EXPORT_MB_PER_ACCOUNT', 16_384, 1, 10_000_000) * MEGABYTE,
      bytesInTotal: whole(env, 'EXPORT_MB_TOTAL', 32_768, 1, 10_000_000) * MEGABYTE,
      minFreeBytes: whole(env, 'EXPORT_MIN_FREE_MB', 1024, 0, 10_000_000) * MEGABYTE,
    },
    backup: readBackup(env),
    auditRetentionDays:
      text(env, 'AUDIT_RETENTION_DAYS') === undefined ? undefined : whole(env, 'AUDIT_RETENTION_DAYS', 0, 1, 36_500),
    links: {
      profileEdit: url(env, 'PROFILE_EDIT_URL')?.href ?? 'https://account.vendor.example/profile',
      documentation: url(env, 'DOCUMENTATION_URL')?.href ?? 'https://docs.vendor.example/licensing-portal',
      support: url(env, 'SUPPORT_URL')?.href ?? 'https://support.vendor.example/request',
    },
    brand: {
      name: text(env, 'BRAND_NAME') ?? 'Licensing Portal',
      logoUrl: logo(env, 'BRAND_LOGO_URL') ?? '',
      color: color(env, 'BRAND_COLOR') ?? '#3451b2',
    },
  }
}

function withSecretFiles(env: Environment): Environment {
  const read: Record<string, string> = {}
  for (const name of SECRETS) {
    const file = text(env, `${name}_FILE`)
    if (file === undefined) continue
    if (text(env, name) !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set: set one of them`)
    read[name] = readSecret(`${name}_FILE`, file, env)
  }
  return { ...env, ...read }
}

function readSecret(name: string, file: string, env: Environment): string {
  let secret: string
  try {
    if (text(env, 'PORTAL_ENV') === 'prod' && (fs.statSync(file).mode & 0o004) !== 0)
      throw new ConfigError(`${name} ${file} can be read by every user of this machine: chmod o-rwx ${file}`)
    secret = fs.readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${name} ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  if (secret === '') throw new ConfigError(`${name} ${file} is empty`)
  return secret
}

function readReplica(env: Environment): Config['replica'] {
  const address = url(env, 'DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'])?.href
  if (address === undefined) return undefined
  required(env, 'DATABASE_URL', 'DATABASE_REPLICA_URL')
  return { url: address, maxLagSeconds: whole(env, 'REPLICA_MAX_LAG_SECONDS', 10, 1, 3600) }
}

function readTracing(env: Environment): TracingConfig | undefined {
  const endpoint = url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')?.href
  if (endpoint === undefined) return undefined
  const pairs = text(env, 'OTEL_EXPORTER_OTLP_HEADERS')?.split(',') ?? []
  const headers = pairs.map((pair) => {
    const [, name, value] = /^\s*([\w-]+)\s*=\s*(\S.*?)\s*$/.exec(pair) ?? []
    // The message leaves out the value, which is a secret.
    if (name === undefined || value === undefined)
      throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must read name=value, …')
    return [name, decodeURIComponent(value)]
  })
  const share = text(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1'
  if (!/^(?:0(?:[.]\d+)?|1(?:[.]0+)?)$/.test(share))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${share}"`)
  return {
    endpoint,
    headers: Object.fromEntries(headers),
    serviceName: text(env, 'OTEL_SERVICE_NAME') ?? 'licensing-portal',
    sampled: Number(share),
  }
}

function readSignIn(env: Environment, environment: PortalEnvironment): SignInConfig | undefined {
  const issuer = url(env, 'OIDC_ISSUER')
  if (!issuer) {
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_CLIENT_AUTH', 'OIDC_ROLE_CLAIM', 'OIDC_ROLE_MAP'])
      if (text(env, name)) throw new ConfigError(`${name} is set, but OIDC_ISSUER is not`)
    return undefined
  }
  if (environment === 'prod' && issuer.protocol === 'http:' && !isLoopbackName(issuer.hostname))
    throw new ConfigError('OIDC_ISSUER must begin with https:// in production')
  const roleMap = readRoleMap(env)
  const roleClaim = roleMap.size > 0 ? required(env, 'OIDC_ROLE_CLAIM', 'OIDC_ROLE_MAP') : text(env, 'OIDC_ROLE_CLAIM')
  if (roleClaim !== undefined) required(env, 'OIDC_ROLE_MAP', 'OIDC_ROLE_CLAIM')
  return {
    issuer: issuer.href,
    clientId: required(env, 'OIDC_CLIENT_ID', 'OIDC_ISSUER'),
    clientSecret: required(env, 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'),
    clientAuth: oneOf(env, 'OIDC_CLIENT_AUTH', ['basic', 'post'] as const, 'basic'),
    trustEmail: yesNo(env, 'OIDC_TRUST_EMAIL') ?? false,
    roleClaim,
    roleMap,
  }
}

const SHORTEST_PASSPHRASE = 12

function readBackup(env: Environment): BackupConfig {
  const folder = text(env, 'BACKUP_DIR')
  for (const name of ['BACKUP_AT', 'DRILL_AT']) if (text(env, name) && !folder) required(env, 'BACKUP_DIR', name)
  const passphrase = text(env, 'BACKUP_PASSPHRASE')
  if (passphrase !== undefined && passphrase.length < SHORTEST_PASSPHRASE)
    throw new ConfigError(`BACKUP_PASSPHRASE must have ${SHORTEST_PASSPHRASE} characters or more`)
  return {
    folder: folder && path.resolve(folder),
    at: schedule(env, 'BACKUP_AT'),
    drillAt: schedule(env, 'DRILL_AT'),
    keepDays: whole(env, 'BACKUP_KEEP_DAYS', 30, 1, 36_500),
    passphrase,
    drillDatabaseUrl: url(env, 'DRILL_DATABASE_URL', ['postgres:', 'postgresql:'])?.href,
  }
}

function schedule(env: Environment, name: string): Schedule | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const read = parseSchedule(value)
  if (!read) throw new ConfigError(`${name} must be a time of day in UTC such as 02:15, or Sun 04:15, not "${value}"`)
  return read
}

function readRoleMap(env: Environment): Map<string, StaffRole> {
  const map = new Map<string, StaffRole>()
  for (const pair of text(env, 'OIDC_ROLE_MAP')?.split(',') ?? []) {
    const [value = '', role = ''] = pair.split('=').map((part) => part.trim())
    if (!value || !isStaffRole(role))
      throw new ConfigError(`OIDC_ROLE_MAP must read claim-value=busops|support|sales|admin, …, not "${pair}"`)
    map.set(value, role)
  }
  return map
}

function readDemo(env: Environment, environment: PortalEnvironment, signIn: SignInConfig | undefined): Config['demo'] {
  const wanted = yesNo(env, 'DEMO')
  if (wanted && environment === 'prod') throw new ConfigError('DEMO=1 is refused with PORTAL_ENV=prod')
  if (environment === 'prod' || wanted === false || signIn) return 'off'
  return wanted ? 'everywhere' : 'loopback'
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function required(env: Environment, name: string, because: string): string {
  const value = text(env, name)
  if (!value) throw new ConfigError(`${name} is not set, and ${because} needs it`)
  return value
}

function whole(env: Environment, name: string, fallback: number, low: number, high: number): number {
  const value = text(env, name)
  if (value === undefined) return fallback
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < low || number > high)
    throw new ConfigError(`${name} must be a whole number from ${low} to ${high}, not "${value}"`)
  return number
}

function yesNo(env: Environment, name: string): boolean | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  throw new ConfigError(`${name} must be 1 or 0, not "${value}"`)
}

function oneOf<const T extends string>(env: Environment, name: string, choices: readonly T[], fallback: T): T {
  const value = text(env, name)
  if (value === undefined) return fallback
  const choice = choices.find((one) => one === value)
  if (!choice) throw new ConfigError(`${name} must be ${choices.join(', ')}, not "${value}"`)
  return choice
}

function url(env: Environment, name: string, protocols = ['http:', 'https:']): URL | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
    throw new ConfigError(`${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
  return new URL(value)
}

function publicOrigin(env: Environment): string | undefined {
  const address = url(env, 'PUBLIC_URL')
  if (address && (address.pathname !== '/' || address.search || address.hash))
    throw new ConfigError(`PUBLIC_URL must end after the host: the portal cannot live below ${address.pathname}`)
  return address?.origin
}

function logo(env: Environment, name: string): string | undefined {
  const value = text(env, name)
  return value?.startsWith('/') && !value.startsWith('//') ? value : url(env, name)?.href
}

function sender(env: Environment, name: string): string | undefined {
  const value = text(env, name)
  if (value !== undefined && !/^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value))
    throw new ConfigError(`${name} must be an email address, or a name and <an address>, not "${value}"`)
  return value
}

/** Exact pairs of host and port, with a comma between them. */
function hosts(env: Environment, name: string): ReadonlySet<string> {
  const pairs = text(env, name)?.split(',') ?? []
  return new Set(
    pairs.map((pair) => {
      const typed = pair.trim().toLowerCase()
      const [, port] = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/.exec(typed) ?? []
      if (port === undefined || !URL.canParse(`https://${typed}`))
        throw new ConfigError(`${name} must read host:port, …, not "${pair.trim()}"`)
      return hostAndPort(new URL(`https://${typed}`))
    }),
  )
}

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal']

function proxies(env: Environment, name: string): string[] | undefined {
  const parts = text(env, name)
    ?.split(',')
    .map((part) => part.trim())
  for (const part of parts ?? []) {
    const [address = '', bits, ...rest] = part.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
    if (!PROXY_NAMES.includes(part) && !(isIP(address) && isRange && rest.length === 0))
      throw new ConfigError(`${name} must be addresses, ranges or ${PROXY_NAMES.join(', ')}, not "${part}"`)
  }
  return parts
}

/** One key per line. */
function installationKeys(env: Environment, name: string): InstallationKey[] {
  const lines = text(env, name)?.split(/\s+/) ?? []
  return lines.map((line, index) => {
    const key = parseInstallationKey(line)
    if (!key)
      throw new ConfigError(
        `Line ${index + 1} of ${name} must be 32 random bytes in base64 or hex, such as from "openssl rand -base64 32"`,
      )
    return key
  })
}

function color(env: Environment, name: string): string | undefined {
  const value = text(env, name)
  if (value !== undefined && !/^#[0-9a-f]{6}$/i.test(value))
    throw new ConfigError(`${name} must be a color such as #3451b2, not "${value}"`)
  return value
}

const isAnyAddress = (host: string) => host === '0.0.0.0' || host === '::'
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)
