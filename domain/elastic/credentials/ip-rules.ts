import ipaddr from 'ipaddr.js'

/** Addresses from which sessions may be started. Without any rule, every address is allowed. */
export type IpRule = {
  readonly name: string
  /** The typed text: an address, or a network in CIDR notation. */
  readonly address: string
}

export const MAX_IP_RULES = 1000
export const MAX_RULE_NAME_LENGTH = 100

export const RULE_NAME_REQUIRED = 'Rule name is required.'
export const RULE_NAME_TOO_LONG = `A rule name has at most ${MAX_RULE_NAME_LENGTH} characters.`
export const ADDRESS_NOT_VALID = 'Enter an IPv4 or IPv6 address, or a network such as 192.0.2.0/24.'
export const TOO_MANY_IP_RULES = `At most ${MAX_IP_RULES.toLocaleString('en-US')} rules can be saved.`
export const ALL_ALLOWED = 'All IP Addresses are allowed'
export const OTHERS_BLOCKED = 'All other IP Addresses are blocked'

export type IpRuleErrors = { readonly name?: string; readonly address?: string }

/** Errors per row; a row without errors is an empty object. */
export function ipRuleErrors(rules: readonly IpRule[]): IpRuleErrors[] {
  return rules.map(({ name, address }) => {
    const nameError = ruleNameError(name)
    return {
      ...(nameError === undefined ? {} : { name: nameError }),
      ...(parseNetwork(address) === undefined ? { address: ADDRESS_NOT_VALID } : {}),
    }
  })
}

/** Hints about a valid address: another rule covers it already, or it stands for a whole network. */
export function ipRuleNotes(rules: readonly IpRule[]): (string | undefined)[] {
  const first = new Map<string, string>()
  return rules.map(({ name, address }) => {
    const network = parseNetwork(address)
    if (network === undefined) return undefined
    const earlier = first.get(network)
    if (earlier !== undefined) return `Duplicate: the rule "${earlier}" has the same addresses.`
    first.set(network, name.trim())
    return network === address.trim().toLowerCase() ? undefined : `Applies to ${network}`
  })
}

/** The list as it is kept, each rule with its network in canonical form, or the first error in it. */
export function readIpRules(
  drafts: readonly IpRule[],
): { rules: (IpRule & { readonly network: string })[] } | { error: string } {
  if (drafts.length > MAX_IP_RULES) return { error: TOO_MANY_IP_RULES }
  const error = ipRuleErrors(drafts).flatMap((errors) => Object.values(errors))[0]
  if (error !== undefined) return { error }
  const rules = trimmed(drafts).flatMap((rule) => {
    const network = parseNetwork(rule.address)
    return network === undefined ? [] : [{ ...rule, network }]
  })
  return { rules }
}

/** Whether sessions may be started from an address. A text that is not a single address is allowed only if there are no rules. */
export function isAddressAllowed(rules: readonly IpRule[], text: string): boolean {
  if (rules.length === 0) return true
  const single = parseNetwork(text)
  if (single === undefined || single.includes('/')) return false
  const address = ipaddr.parse(single)
  return rules.some(({ address: rule }) => {
    const network = parseNetwork(rule)
    if (network === undefined) return false
    const bits = address.toByteArray().length * 8
    const [base, length] = ipaddr.parseCIDR(network.includes('/') ? network : `${network}/${bits}`)
    return base.kind() === address.kind() && address.match(base, length)
  })
}

export function sameIpRules(one: readonly IpRule[], other: readonly IpRule[]): boolean {
  return asText(one) === asText(other)
}

const PREFIX = /^(0|[1-9][0-9]{0,2})$/
const MAPPED_BITS = 96

/**
 * The canonical text of an address or network: equal texts stand for the same addresses. IPv4 addresses that are written
 * as IPv6 (::ffff:192.0.2.1) become IPv4; undefined for what is neither.
 */
export function parseNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.trim().split('/')
  if (rest.length > 0 || (prefix !== undefined && !PREFIX.test(prefix))) return undefined
  const parsed = parseAddress(address)
  if (!parsed) return undefined
  const bits = parsed.toByteArray().length * 8
  const length = prefix === undefined ? bits : Number(prefix)
  if (length > bits) return undefined
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= MAPPED_BITS)
    return networkText(parsed.toIPv4Address(), length - MAPPED_BITS)
  return networkText(parsed, length)
}

/** The library also reads 1, 0x7f.1 and 010.0.0.1 as IPv4, and zones of IPv6: nobody means those here. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  return ipaddr.IPv6.parse(text)
}

function networkText(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): string {
  const bytes = address.toByteArray().map((byte, index) => byte & mask(length - index * 8))
  const network = ipaddr.fromByteArray(bytes)
  const text = network instanceof ipaddr.IPv6 ? network.toRFC5952String() : network.toString()
  return length === bytes.length * 8 ? text : `${text}/${length}`
}

/** A byte of which the first `bits` are set. */
const mask = (bits: number) => (bits >= 8 ? 0xff : bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff)

function ruleNameError(name: string): string | undefined {
  const text = name.trim()
  if (text === '') return RULE_NAME_REQUIRED
  return text.length > MAX_RULE_NAME_LENGTH ? RULE_NAME_TOO_LONG : undefined
}

const trimmed = (rules: readonly IpRule[]): IpRule[] =>
  rules.map(({ name, address }) => ({ name: name.trim(), address: address.trim() }))
const asText = (rules: readonly IpRule[]) => JSON.stringify(trimmed(rules).map(({ name, address }) => [name, address]))
