import dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { bareHost, type Egress, hostAndPort, isPublicAddress } from '#domain/webhooks/egress.ts'
import { URL_NOT_HTTPS } from '#domain/webhooks/endpoint.ts'

type Address = { readonly address: string; readonly family: number }
export type NameLookup = {
  resolve?(hostname: string): Promise<readonly Address[]>
  /** Instead of those that this machine is set up with, and how long each has to answer, in milliseconds. */
  nameServers?: NameServers
}
export type NameServers = { readonly addresses: readonly string[]; readonly timeout: number }

/** How long a name server has to answer, in milliseconds, and how often it is asked. */
const NAME_SERVER_TIMEOUT = 2000
const NAME_SERVER_TRIES = 2

const NOT_PUBLIC = 'The host is not public. The operator of the portal can allow it with WEBHOOK_ALLOW'

/** Why nothing is sent to an address; otherwise how its socket looks up the name. */
type Guarded = { readonly refusal: string | undefined; readonly lookup: LookupFunction }

/**
 * Guards requests to addresses that customers choose. A name is looked up once per request, by the socket itself, and the
 * socket connects to the addresses that were checked: a name that leads elsewhere later gains nothing. What a refused address is,
 * nobody learns.
 */
export function guardEgress(egress: Egress, options: NameLookup = {}): (address: URL) => Guarded {
  const checkedLookup =
    (isAllowed: boolean): LookupFunction =>
    (hostname, { all }, done) => {
      const check = async () => {
        const resolve = options.resolve ?? (isAllowed ? lookUpOnMachine : lookUpInDns)
        const found = await resolve(hostname, options.nameServers)
        if (!isAllowed && !found.every(({ address }) => isPublicAddress(address))) throw new Error(NOT_PUBLIC)
        if (!found[0]) throw new Error(`The name ${hostname} has no address`)
        return { found, first: found[0] }
      }
      check().then(
        ({ found, first }) => (all ? done(null, [...found]) : done(null, first.address, first.family)),
        (error: Error) => done(error, ''),
      )
    }

  return (address) => {
    const isAllowed = egress.allowed.has(hostAndPort(address))
    // A socket looks up names only.
    const host = bareHost(address.hostname)
    const isClosed = !isAllowed && isIP(host) !== 0 && !isPublicAddress(host)
    const isPlain = address.protocol !== 'https:' && !egress.isHttpAllowed
    const refusal = isPlain ? URL_NOT_HTTPS : isClosed ? NOT_PUBLIC : undefined
    return { refusal, lookup: checkedLookup(isAllowed) }
  }
}

/** Customers choose the names that this resolver looks up, and with them the name server that answers, or does not. */
export function openResolver(nameServers: NameServers | undefined): dns.promises.Resolver {
  const timeout = nameServers?.timeout ?? NAME_SERVER_TIMEOUT
  const resolver = new dns.promises.Resolver({ timeout, tries: NAME_SERVER_TRIES })
  if (nameServers) resolver.setServers(nameServers.addresses)
  return resolver
}

/** Hosts that the operator has named may be in the hosts file. This lookup has no time limit and takes a thread of the process. */
const lookUpOnMachine = (name: string): Promise<readonly Address[]> => dns.promises.lookup(name, { all: true })

async function lookUpInDns(name: string, nameServers: NameServers | undefined): Promise<readonly Address[]> {
  const resolver = openResolver(nameServers)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (found.length > 0) return found
  const codes = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.code : dns.NODATA))
  const isUnknown = codes.every((code) => code === dns.NOTFOUND || code === dns.NODATA)
  throw new Error(isUnknown ? NAME_UNKNOWN : NAME_UNANSWERED)
}

const NAME_UNKNOWN = 'The name of the host was not found'
const NAME_UNANSWERED = 'The name of the host could not be looked up'
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: NAME_UNKNOWN,
  EAI_AGAIN: NAME_UNANSWERED,
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before an answer',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'No connection',
}

/** Where a name has several addresses, the error has one for each of them. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException | undefined) : error
  return REASONS[first?.code ?? ''] ?? first?.message ?? 'The connection failed'
}
