import path from 'node:path'
import type { StaffRole } from '#domain/access/roles.ts'
import type { Schedule } from '#domain/upkeep/schedule.ts'
import type { Egress } from '#domain/webhooks/egress.ts'
import { ConfigError } from '#server/config/config-error.ts'
import { bracketed } from '#server/config/kinds.ts'
import { type Environment, readSettings, type Values } from '#server/config/read-settings.ts'
import type { InstallationKey } from '#server/db/installation-key.ts'
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

const MEGABYTE = 1024 * 1024

/** The only reader of the environment. */
export function readConfig(env: Environment): Config {
  const given = readSettings(env)
  const { PORT: port, HOST: host, PORTAL_ENV: environment, PROCESSES: processes } = given
  const origin = given.PUBLIC_URL ?? `http://${isAnyAddress(host) ? '127.0.0.1' : bracketed(host)}:${port}`
  const signIn = readSignIn(given)
  const demo = readDemo(given, origin)
  if (environment === 'prod') refuseHttp('PUBLIC_URL', new URL(origin))
  return {
    port,
    host,
    origin,
    dataDir: path.resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    replica:
      given.DATABASE_REPLICA_URL === undefined
        ? undefined
        : { url: given.DATABASE_REPLICA_URL, maxLagSeconds: given.REPLICA_MAX_LAG_SECONDS },
    databaseOwnerUrl: given.DATABASE_OWNER_URL,
    installationKeys: given.INSTALLATION_KEY ?? [],
    environment,
    demo,
    demoUsage: given.DEMO_USAGE,
    signIn,
    mail: { smtpUrl: given.SMTP_URL, from: given.MAIL_FROM },
    webhooks: { isHttpAllowed: environment === 'dev', allowed: new Set(given.WEBHOOK_ALLOW) },
    trustProxy: given.TRUST_PROXY && [...given.TRUST_PROXY],
    logLevel: given.LOG_LEVEL ?? (environment === 'dev' ? 'warn' : 'info'),
    logPersonalData: given.LOG_PERSONAL_DATA,
    tracing: readTracing(given),
    requestsPerMinute: given.RATE_LIMIT,
    freshSignInMinutes: given.FRESH_SIGN_IN_MINUTES ?? (demo === 'off' ? 60 : 0),
    serviceRequestsPerMinute: given.SERVICE_RATE_LIMIT,
    metricsToken: given.METRICS_TOKEN,
    processes,
    drainSeconds: given.DRAIN_SECONDS,
    publicApiDocs: given.PUBLIC_API_DOCS ?? environment === 'dev',
    alertRefreshMinutes: given.ALERT_REFRESH_MINUTES,
    rehosting: given.REHOSTING,
    exports: {
      perPerson: given.EXPORTS_PER_PERSON,
      perAccount: given.EXPORTS_PER_ACCOUNT,
      bytesPerPerson: given.EXPORT_MB_PER_PERSON * MEGABYTE,
      bytesPerAccount: given.EXPORT_MB_PER_ACCOUNT * MEGABYTE,
      bytesInTotal: given.EXPORT_MB_TOTAL * MEGABYTE,
      minFreeBytes: given.EXPORT_MIN_FREE_MB * MEGABYTE,
    },
    backup: {
      folder: given.BACKUP_DIR && path.resolve(given.BACKUP_DIR),
      at: given.BACKUP_AT,
      drillAt: given.DRILL_AT,
      keepDays: given.BACKUP_KEEP_DAYS,
      passphrase: given.BACKUP_PASSPHRASE,
      drillDatabaseUrl: given.DRILL_DATABASE_URL,
    },
    auditRetentionDays: given.AUDIT_RETENTION_DAYS,
    links: {
      profileEdit: given.PROFILE_EDIT_URL,
      documentation: given.DOCUMENTATION_URL,
      support: given.SUPPORT_URL,
    },
    brand: { name: given.BRAND_NAME, logoUrl: given.BRAND_LOGO_URL ?? '', color: given.BRAND_COLOR },
  }
}

function readTracing(given: Values): TracingConfig | undefined {
  if (given.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined
  return {
    endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: Object.fromEntries(given.OTEL_EXPORTER_OTLP_HEADERS ?? []),
    serviceName: given.OTEL_SERVICE_NAME,
    sampled: given.OTEL_TRACES_SAMPLER_ARG,
  }
}

function readSignIn(given: Values): SignInConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  if (given.PORTAL_ENV === 'prod') refuseHttp('OIDC_ISSUER', issuer)
  return {
    issuer: issuer.href,
    clientId,
    clientSecret,
    clientAuth: given.OIDC_CLIENT_AUTH ?? 'basic',
    trustEmail: given.OIDC_TRUST_EMAIL ?? false,
    roleClaim: given.OIDC_ROLE_CLAIM,
    roleMap: new Map(given.OIDC_ROLE_MAP),
  }
}

function readDemo(
  { DEMO: wanted, PORTAL_ENV: environment, OIDC_ISSUER: issuer }: Values,
  origin: string,
): Config['demo'] {
  if (wanted && environment === 'prod') throw new ConfigError('DEMO=1 is refused with PORTAL_ENV=prod')
  if (wanted && issuer) throw new ConfigError('DEMO=1 is refused with OIDC_ISSUER: people sign in there')
  if (issuer) return 'off'
  if (environment === 'prod' || wanted === false)
    throw new ConfigError(
      `OIDC_ISSUER is not set: ${environment === 'prod' ? 'production' : 'a portal without demo people'} needs an identity provider`,
    )
  if (wanted) return 'everywhere'
  if (isLoopbackName(new URL(origin).hostname)) return 'loopback'
  throw new ConfigError(
    `PUBLIC_URL ${origin} is not on this machine, where demo people sign in: set OIDC_ISSUER for a real identity provider, or DEMO=1 to let everybody in as a demo person`,
  )
}

/** In prod, only addresses of this machine may do without TLS. */
function refuseHttp(name: string, { protocol, hostname }: URL): void {
  if (protocol === 'http:' && !isLoopbackName(hostname))
    throw new ConfigError(`${name} must begin with https:// in production`)
}

const isAnyAddress = (host: string) => host === '0.0.0.0' || host === '::'
