import { X509Certificate } from 'node:crypto'
import fs from 'node:fs'
import { validateHeaderValue } from 'node:http'
import { isIP } from 'node:net'
import { isStaffRole, type StaffRole } from '#domain/access/roles.ts'
import { parseSchedule } from '#domain/upkeep/schedule.ts'
import { hostAndPort } from '#domain/webhooks/egress.ts'
import { parseInstallationKey } from '#server/db/installation-key.ts'

/** A form that values of settings have. */
export type Kind<T> = {
  /** Completes the sentence "PORT must be …". */
  readonly form: string
  /** Reads a trimmed value; undefined if it does not have the form. */
  parse(value: string): T | undefined
  /** The first entry of a list that is wrong, counted from 1. */
  findWrong?(value: string): { readonly place: number; readonly text: string } | undefined
}

export const words: Kind<string> = { form: 'a text in one line', parse: (value) => value.match(/^[^\p{Cc}]+$/u)?.[0] }

/** A bearer token, as it can be sent in a header. */
export const token: Kind<string> = {
  form: 'letters, digits and signs without spaces',
  parse: (value) => value.match(/^[\x21-\x7e]+$/)?.[0],
}

export const whole = (low: number, high: number): Kind<number> => ({
  form: `a whole number from ${low} to ${high}`,
  parse: (value) => (/^\d+$/.test(value) && Number(value) >= low && Number(value) <= high ? Number(value) : undefined),
})

export const share: Kind<number> = {
  form: 'a number from 0 to 1',
  parse: (value) => (/^(?:0(?:[.]\d+)?|1(?:[.]0+)?)$/.test(value) ? Number(value) : undefined),
}

const YES_NO: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false }
export const yesNo: Kind<boolean> = {
  form: '1 or 0',
  parse: (value) => (Object.hasOwn(YES_NO, value) ? YES_NO[value] : undefined),
}

export const oneOf = <const T extends string>(choices: readonly T[]): Kind<T> => ({
  form: choices.join(', '),
  parse: (value) => choices.find((one) => one === value),
})

/** A name or an address to listen on. */
export const hostName: Kind<string> = {
  form: 'a host name or an IP address, without a scheme and a port',
  parse: (value) => (isHost(value) && URL.canParse(`http://${bracketed(value)}`) ? value : undefined),
}

export const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)
const isHost = (text: string) =>
  isIP(text) !== 0 || (/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(text) && !text.includes('..'))

const parseUrl = (value: string, protocols: readonly string[]): URL | undefined => {
  if (!protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`)) || !URL.canParse(value)) return
  const url = new URL(value)
  return isDecodable(url.href) ? url : undefined
}

const isDecodable = (text: string) => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** An address of the web. */
export const webUrl: Kind<string> = {
  form: 'an address that begins with http:// or https://',
  parse: (value) => parseUrl(value, ['http:', 'https:'])?.href,
}

/** The address of a server without a name and a password, a query and a fragment. */
export const plainUrl: Kind<URL> = {
  form: 'an address that begins with http:// or https://, without a sign-in name, "?" and "#"',
  parse: (value) => {
    const url = parseUrl(value, ['http:', 'https:'])
    return url && !url.username && !url.password && !/[?#]/.test(value) ? url : undefined
  },
}

export const origin: Kind<string> = {
  form: 'an address that begins with http:// or https:// and ends after the host: the portal cannot live below a path',
  parse: (value) => {
    const url = plainUrl.parse(value)
    return url?.pathname === '/' ? url.origin : undefined
  },
}

export const databaseUrl: Kind<string> = {
  form: 'an address such as postgres://role:password@host:5432/database, special characters percent-encoded',
  parse: (value) => {
    const url = parseUrl(value, ['postgres:', 'postgresql:'])
    // A socket is named in the query: postgres:///portal?host=/run/postgresql
    return url && url.pathname.length > 1 && (url.hostname || url.searchParams.has('host')) ? url.href : undefined
  },
}

export const mailUrl: Kind<string> = {
  form: 'an address that begins with smtp:// or smtps:// and names a host',
  parse: (value) => {
    const url = parseUrl(value, ['smtp:', 'smtps:'])
    return url?.hostname && url.port !== '0' ? url.href : undefined
  },
}

/** A picture on the web, or below the address of the portal. */
export const picture: Kind<string> = {
  form: 'a path that begins with one "/", or an address that begins with http:// or https://',
  parse: (value) => (/^\/(?![/\\])[^\\\s]*$/.test(value) ? value : webUrl.parse(value)),
}

export const sender: Kind<string> = {
  form: 'an email address, or a name and <an address>',
  parse: (value) => value.match(/^(?:[^<>\p{Cc}]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/u)?.[0],
}

export const color: Kind<string> = {
  form: 'a color such as #3451b2',
  parse: (value) => value.match(/^#[0-9a-f]{6}$/i)?.[0],
}

export const schedule = {
  form: 'a time of day in UTC such as 02:15, or Sun 04:15',
  parse: (value: string) => parseSchedule(value),
}

const MIN_PASSPHRASE = 12
/** A path, relative to where the portal is started. */
export const folder: Kind<string> = { form: 'a folder', parse: words.parse }

export const certificates: Kind<string> = {
  form: 'a file with certificates in PEM that this user can read',
  parse: (file) => {
    try {
      return new X509Certificate(fs.readFileSync(file)) && file
    } catch {
      return undefined
    }
  },
}

export const passphrase: Kind<string> = {
  form: `${MIN_PASSPHRASE} characters or more in one line`,
  parse: (value) => (value.length >= MIN_PASSPHRASE ? words.parse(value) : undefined),
}

const installationKey = {
  form: '32 random bytes in base64 or hex, such as from "openssl rand -base64 32"',
  parse: (value: string) => parseInstallationKey(value),
}

/** An exact pair of host and port. */
const destination: Kind<string> = {
  form: 'host:port, …',
  parse: (value) => {
    const [, host = '', port] = /^([^/?#@\\]+):(\d{1,5})$/.exec(value) ?? []
    const typed = `https://${value.toLowerCase()}`
    const isNamed = isHost(host) || /^\[[0-9a-f:.]+\]$/i.test(host)
    return isNamed && Number(port) > 0 && URL.canParse(typed) ? hostAndPort(new URL(typed)) : undefined
  },
}

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal']
const proxy: Kind<string> = {
  form: `addresses, ranges or ${PROXY_NAMES.join(', ')}`,
  parse: (value) => {
    const [address = '', bits, ...rest] = value.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
    return PROXY_NAMES.includes(value) || (isIP(address) && isRange && rest.length === 0) ? value : undefined
  },
}

/** A value of the claim may contain "=": names of a directory do. */
const mappedRole: Kind<readonly [string, StaffRole]> = {
  form: 'claim-value=busops|support|sales|admin, …, each value once',
  parse: (value) => {
    const end = value.lastIndexOf('=')
    const [claim, role] = [value.slice(0, end).trim(), value.slice(end + 1).trim()]
    return end > 0 && claim !== '' && isStaffRole(role) ? [claim, role] : undefined
  },
}

const header: Kind<readonly [string, string]> = {
  form: 'name=value, …, values percent-encoded, each name once',
  parse: (text) => {
    const [, name, encoded = ''] = /^([\w-]+)\s*=\s*(\S.*)$/.exec(text) ?? []
    try {
      const value = decodeURIComponent(encoded)
      if (name === undefined || value === '') return undefined
      validateHeaderValue(name, value)
      return [name, value]
    } catch {
      return undefined
    }
  },
}

/** Several values of one kind, no two with the same key. */
function listOf<T>(entry: Kind<T>, separator: RegExp, keyOf: (one: T) => unknown): Kind<readonly T[]> {
  const read = (value: string) => {
    const keys = new Set<unknown>()
    return value.split(separator).map((part, index) => {
      const parsed = entry.parse(part.trim())
      const isNew = parsed !== undefined && keys.size < keys.add(keyOf(parsed)).size
      return { place: index + 1, text: part.trim(), parsed: isNew ? parsed : undefined }
    })
  }
  return {
    form: entry.form,
    findWrong: (value) => read(value).find(({ parsed }) => parsed === undefined),
    parse(value) {
      const entries = read(value)
      const parsed = entries.flatMap((one) => (one.parsed === undefined ? [] : [one.parsed]))
      return parsed.length === entries.length ? parsed : undefined
    },
  }
}

const itself = (one: unknown) => one

export const destinations = listOf(destination, /,/, itself)
export const proxies = listOf(proxy, /,/, itself)
export const roleMap = listOf(mappedRole, /,/, ([claim]) => claim)
export const headers = listOf(header, /,/, ([name]) => name.toLowerCase())
export const installationKeys = listOf(installationKey, /\s+/, ({ id }) => id)
