import type { Kind } from '#server/config/kinds.ts'
import * as kinds from '#server/config/kinds.ts'

export type Setting<T = unknown> = {
  readonly kind: Kind<Exclude<T, undefined>>
  /** The part of the portal, or the command, that reads it. */
  readonly usedBy: string
  readonly about: string
  readonly fallback: T
  /** The default in words, where it is none or depends on other settings. */
  readonly fallbackText: string
  /** May be read from a file, which `<name>_FILE` names, and is never printed. */
  readonly isSecret: boolean
  /** Settings without which it has no meaning. */
  readonly needs: readonly string[]
}

type More = { readonly isSecret?: boolean; readonly needs?: readonly string[] }

/** A setting that has a value in every installation. */
const given = <T>(kind: Kind<T>, fallback: T, usedBy: string, about: string, more: More = {}): Setting<T> => ({
  ...{ kind: kind as Kind<Exclude<T, undefined>>, usedBy, about, fallback, isSecret: false, needs: [] },
  fallbackText: `\`${typeof fallback === 'boolean' ? Number(fallback) : fallback}\``,
  ...more,
})

/** A setting that can be left out; the text says what holds then. */
const optional = <T>(
  kind: Kind<T>,
  fallbackText: string,
  usedBy: string,
  about: string,
  more: More = {},
): Setting<T | undefined> => ({
  ...{ kind: kind as Kind<Exclude<T, undefined>>, usedBy, about, fallback: undefined, isSecret: false, needs: [] },
  fallbackText,
  ...more,
})

const SECRET = { isSecret: true }
const MEGABYTES = kinds.whole(1, 10_000_000)
const REQUESTS = kinds.whole(1, 1_000_000_000)
const PROVIDER = { needs: ['OIDC_ISSUER'] }

/** Every setting, once: the start reads these, and docs/settings.md lists them. */
export const SETTINGS = {
  PORT: given(kinds.whole(1, 65_535), 8080, 'start', 'the port to listen on'),
  HOST: given(kinds.hostName, '127.0.0.1', 'start', 'the address to listen on; `0.0.0.0` is all of this machine'),
  PUBLIC_URL: optional(
    kinds.origin,
    '`http://HOST:PORT`',
    'start',
    'the address that people type; no other is answered. https in prod, where cookies are then `__Host-`',
  ),
  DATA_DIR: given(kinds.folder, '.data', 'start, all commands', 'the embedded database, the mailbox'),
  PORTAL_ENV: given(kinds.oneOf(['dev', 'uat', 'prod']), 'dev', 'start, all commands', 'dev, uat or prod'),
  PROCESSES: given(kinds.whole(1, 64), 1, 'start', 'how many processes share the port; about one for each core'),
  DRAIN_SECONDS: given(
    kinds.whole(0, 300),
    5,
    'start',
    'how long a portal that got SIGTERM still takes requests, so that load balancers notice',
  ),
  TRUST_PROXY: optional(
    kinds.proxies,
    'none',
    'start',
    'addresses of proxies whose `X-Forwarded-*` headers are believed',
  ),
  NODE_EXTRA_CA_CERTS: optional(
    kinds.certificates,
    'none',
    'Node: provider, mail server, webhooks, database',
    'a file with certificates of authorities of your own, in PEM',
  ),
  DEMO: optional(
    kinds.yesNo,
    'on this machine',
    'start',
    '`1`: demo people for other machines, too; `0`: none. Never in prod or with a provider',
  ),
  DEMO_USAGE: given(
    kinds.whole(2_000, 10_000_000),
    200_000,
    'start, `demo`',
    'about how many usage transactions the demo data has',
  ),

  DATABASE_URL: optional(kinds.databaseUrl, 'embedded', 'database', 'a PostgreSQL 15 to 18', SECRET),
  DATABASE_OWNER_URL: optional(
    kinds.databaseUrl,
    'the role of `DATABASE_URL`',
    'database, `migrate`, `restore`, `shard`, `usage archive`',
    'the role that owns the tables and migrates ([Two roles](operations.md#two-roles))',
    { isSecret: true, needs: ['DATABASE_URL'] },
  ),
  DATABASE_REPLICA_URL: optional(
    kinds.databaseUrl,
    'none',
    'database',
    'a streaming replica of `DATABASE_URL`, from which people read',
    { isSecret: true, needs: ['DATABASE_URL'] },
  ),
  REPLICA_MAX_LAG_SECONDS: given(kinds.whole(1, 3600), 10, 'database', 'a replica that is further behind is not read'),
  INSTALLATION_KEY: optional(
    kinds.installationKeys,
    'none',
    'database, `installation-key`',
    'wraps the secrets in the database ([A key from outside](operations.md#a-key-from-outside)); keys one per line, the newest first',
    SECRET,
  ),

  OIDC_ISSUER: optional(
    kinds.plainUrl,
    'demo sign-in',
    'sign-in',
    'any standard OpenID Connect provider; https in prod',
    {
      needs: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    },
  ),
  OIDC_CLIENT_ID: optional(kinds.words, 'none', 'sign-in', 'the name of the portal at the provider', PROVIDER),
  OIDC_CLIENT_SECRET: optional(kinds.words, 'none', 'sign-in', 'its secret', { ...PROVIDER, ...SECRET }),
  OIDC_CLIENT_AUTH: optional(
    kinds.oneOf(['basic', 'post']),
    'basic',
    'sign-in',
    '`post` for providers that do not decode a secret sent by HTTP Basic',
    PROVIDER,
  ),
  OIDC_TRUST_EMAIL: optional(
    kinds.yesNo,
    '0',
    'sign-in',
    '`1` for providers that send no `email_verified` claim, such as Entra ID',
    PROVIDER,
  ),
  OIDC_ROLE_CLAIM: optional(kinds.words, 'none', 'sign-in', 'the claim that gives staff roles', {
    needs: ['OIDC_ISSUER', 'OIDC_ROLE_MAP'],
  }),
  OIDC_ROLE_MAP: optional(kinds.roleMap, 'none', 'sign-in', 'its values: `LP-Ops=busops,LP-Help=support`; no others', {
    needs: ['OIDC_ISSUER', 'OIDC_ROLE_CLAIM'],
  }),
  FRESH_SIGN_IN_MINUTES: optional(
    kinds.whole(0, 720),
    '60; 0 in the demo',
    'sign-in',
    'PINs, tokens, webhooks, IP rules and roles need a sign-in this recent; `0`: never',
  ),

  SMTP_URL: optional(
    kinds.mailUrl,
    'mailbox in `DATA_DIR`',
    'mails',
    'where mails go: `smtps://name:password@host`',
    SECRET,
  ),
  MAIL_FROM: given(kinds.sender, 'Licensing Portal <portal@vendor.example>', 'mails', 'the sender of mails'),
  WEBHOOK_ALLOW: optional(
    kinds.destinations,
    'none',
    'webhooks',
    '`host:port,…` of endpoints, and of sign-in providers of accounts, that need not be public',
  ),

  RATE_LIMIT: given(REQUESTS, 3_000, 'API', 'requests per minute and address'),
  SERVICE_RATE_LIMIT: given(REQUESTS, 30_000, 'service API', 'the same for each operation of the service API'),
  PUBLIC_API_DOCS: optional(kinds.yesNo, '1 in dev, else 0', '`/api/docs`', '`1`: open without a sign-in'),
  ALERT_REFRESH_MINUTES: given(kinds.whole(1, 1440), 15, 'web app', 'how often the banner looks for new alerts'),
  REHOSTING: given(kinds.yesNo, true, 'activations', '`0`: license servers cannot be exchanged for others'),

  LOG_LEVEL: optional(
    kinds.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'warn in dev, else info',
    'logs',
    'structured logs on standard output',
  ),
  LOG_PERSONAL_DATA: given(
    kinds.yesNo,
    false,
    'logs',
    '`1`: logs also have emails and addresses of people, and queries of API calls',
  ),
  METRICS_TOKEN: optional(
    kinds.token,
    'none: this machine',
    '`/metrics`',
    'bearer token; needed unless `PUBLIC_URL` is a loopback address',
    SECRET,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    kinds.webUrl,
    'none',
    'traces',
    'where traces go: an OpenTelemetry collector over HTTP, such as `http://…:4318`',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    kinds.headers,
    'none',
    'traces',
    'headers for the collector: `name=value,…`',
    SECRET,
  ),
  OTEL_SERVICE_NAME: given(kinds.words, 'licensing-portal', 'traces', 'the name of this service'),
  OTEL_TRACES_SAMPLER_ARG: given(kinds.share, 1, 'traces', 'the share of requests that are traced, 0 to 1'),

  // The list of a person's exports shows 50, so every export that counts can be seen and deleted there.
  EXPORTS_PER_PERSON: given(kinds.whole(1, 50), 20, 'exports', 'how many background exports of a person are kept'),
  EXPORTS_PER_ACCOUNT: given(kinds.whole(1, 100_000), 100, 'exports', 'how many of an account'),
  EXPORT_MB_PER_PERSON: given(MEGABYTES, 4_096, 'exports', 'space for the files of a person, in MB'),
  EXPORT_MB_PER_ACCOUNT: given(MEGABYTES, 16_384, 'exports', 'space for the files of an account, in MB'),
  EXPORT_MB_TOTAL: given(MEGABYTES, 32_768, 'exports', 'space for all of them, in MB'),
  EXPORT_MIN_FREE_MB: given(
    kinds.whole(0, 10_000_000),
    1_024,
    'exports, `doctor`, `/metrics`',
    'free disk space below which no export is written, in MB; embedded database',
  ),

  BACKUP_DIR: optional(kinds.folder, 'none', '`backup`, `drill`', 'folder of backups, which all processes share'),
  BACKUP_AT: optional(kinds.schedule, 'none', 'backups', 'when the portal makes one, in UTC: `02:15`', {
    needs: ['BACKUP_DIR'],
  }),
  DRILL_AT: optional(kinds.schedule, 'none', 'drills', 'when it tries one: `Sun 04:15`', { needs: ['BACKUP_DIR'] }),
  BACKUP_KEEP_DAYS: given(kinds.whole(1, 36_500), 30, '`backup`', 'older backups in `BACKUP_DIR` are deleted'),
  BACKUP_PASSPHRASE: optional(
    kinds.passphrase,
    'not encrypted',
    '`backup`, `restore`, `drill`',
    'encrypts backups and opens them',
    SECRET,
  ),
  DRILL_DATABASE_URL: optional(
    kinds.databaseUrl,
    'that of the portal',
    '`drill`',
    'a PostgreSQL on which drills may create their scratch database',
    SECRET,
  ),
  AUDIT_RETENTION_DAYS: optional(
    kinds.whole(1, 36_500),
    'all are kept',
    'audit log, `migrate`, `audit remove-old`',
    'older entries of the audit log are removed every night',
  ),

  BRAND_NAME: given(kinds.words, 'Licensing Portal', 'web app, PDF', 'the name of the portal'),
  BRAND_LOGO_URL: optional(kinds.picture, 'none', 'web app, PDF', 'its logo, in PDF files PNG, JPEG or SVG'),
  BRAND_COLOR: given(kinds.color, '#3451b2', 'web app, PDF', 'its color'),
  PROFILE_EDIT_URL: given(
    kinds.webUrl,
    'https://account.vendor.example/profile',
    'web app',
    'where people change their profile',
  ),
  DOCUMENTATION_URL: given(
    kinds.webUrl,
    'https://docs.vendor.example/licensing-portal',
    'web app',
    'where the menu leads for documentation',
  ),
  SUPPORT_URL: given(kinds.webUrl, 'https://support.vendor.example/request', 'web app', 'and for support'),
} as const
