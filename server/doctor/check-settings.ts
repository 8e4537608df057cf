import type { Finding } from '#domain/upkeep/finding.ts'
import type { Config } from '#server/config.ts'
import { ok, warning } from '#server/doctor/finding.ts'
import { isLoopbackName } from '#server/loopback.ts'

type Danger = { applies(config: Config): boolean; text: string; advice: string }

const isPublic = ({ origin }: Config) => !isLoopbackName(new URL(origin).hostname)

/** Settings that are allowed but dangerous, the worst first. */
const DANGERS: readonly Danger[] = [
  {
    applies: ({ demo }) => demo === 'everywhere',
    text: 'DEMO=1: everybody who reaches this portal signs in as whom they like',
    advice: 'Set OIDC_ISSUER for real data',
  },
  {
    applies: (config) => isPublic(config) && config.origin.startsWith('http:'),
    text: 'PUBLIC_URL is not https: sessions can be read on the way',
    advice: 'Put a proxy with TLS in front and set PUBLIC_URL to https://…',
  },
  {
    applies: ({ trustProxy = [] }) => trustProxy.some((range) => range.endsWith('/0')),
    text: 'TRUST_PROXY believes every address: callers choose their own address',
    advice: 'Name the addresses of your proxies',
  },
  {
    applies: (config) => isPublic(config) && config.environment === 'dev',
    text: 'PORTAL_ENV is dev on a public address',
    advice: 'Set PORTAL_ENV to uat or prod',
  },
  {
    applies: ({ environment, mail }) => environment === 'prod' && mail.smtpUrl === undefined,
    text: 'SMTP_URL is not set: emails reach nobody',
    advice: 'Set SMTP_URL and MAIL_FROM',
  },
  {
    applies: ({ environment, logLevel }) => environment === 'prod' && ['fatal', 'silent'].includes(logLevel),
    text: 'LOG_LEVEL hides errors',
    advice: 'Set LOG_LEVEL to info or warn',
  },
]

export function checkSettings(config: Config): Finding[] {
  const found = DANGERS.filter(({ applies }) => applies(config))
  if (found.length === 0) return [ok(`${config.environment}, ${config.origin}`)]
  return found.map(({ text, advice }) => warning(text, advice))
}
