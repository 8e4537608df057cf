import { HOST_STATES, type Host, type HostState, hostParts } from '#domain/activations/hosts/host.ts'
import { readHostId } from '#domain/activations/hosts/host-id.ts'

/** Active hosts hold seats, expired ones included; inactive ones once did; nothing is known of the others. */
export function hostState(seats: { readonly now: number; readonly everActivated: boolean }): HostState {
  if (seats.now > 0) return 'Active'
  return seats.everActivated ? 'Inactive' : 'Unknown'
}

/** Active before inactive before unknown, then by name, id and type. Names do not depend on case. */
export function compareHosts(one: Host, other: Host): number {
  return (
    HOST_STATES.indexOf(one.state) - HOST_STATES.indexOf(other.state) ||
    compareText(one.serverName.toLowerCase(), other.serverName.toLowerCase()) ||
    compareText(one.serverId, other.serverId) ||
    compareText(one.serverIdType, other.serverIdType)
  )
}

export function sortedHosts<H extends Host>(hosts: readonly H[]): H[] {
  return [...hosts].sort(compareHosts)
}

type HostLink = {
  /** The id of a host. A link to a host that is not there opens no other one: what the link asks for is not meant for it. */
  readonly wanted: string | undefined
  /** The link brings products, which need a host that was chosen for them, not the first of the list. */
  readonly hasToActivate: boolean
}

/** The host that a link opens; undefined where a person has to choose. */
export function linkedHost<H extends Host & { readonly generatedAt: string | null }>(
  hosts: readonly H[],
  { wanted, hasToActivate }: HostLink,
): H | undefined {
  if (wanted !== undefined) return namedHost(hosts, wanted)
  return hasToActivate ? lastUsedHost(hosts) : sortedHosts(hosts)[0]
}

/** The host with these ids, in any order and form, or the triad that has this id as one of its three. */
export function namedHost<H extends Host>(hosts: readonly H[], serverId: string): H | undefined {
  const ids = hostParts(serverId).map((id) => readHostId(id).id)
  const having = sortedHosts(hosts).filter((host) => ids.every((id) => hostParts(host.serverId).includes(id)))
  return (
    having.find((host) => hostParts(host.serverId).length === ids.length) ?? (ids.length === 1 ? having[0] : undefined)
  )
}

/**
 * The host for products that a link brings without naming one: the only one, or that with the latest license file. Active
 * hosts come before others. Undefined where neither is clear, and a person has to choose.
 */
export function lastUsedHost<H extends Host & { readonly generatedAt: string | null }>(
  hosts: readonly H[],
): H | undefined {
  const active = hosts.filter(({ state }) => state === 'Active')
  const candidates = active.length > 0 ? active : hosts
  if (candidates.length === 1) return candidates[0]
  const [last, before] = [...candidates].sort((one, other) =>
    compareText(other.generatedAt ?? '', one.generatedAt ?? ''),
  )
  return last?.generatedAt === before?.generatedAt ? undefined : last
}

/** Cancel drops a host that exists in the browser alone, and goes back to the one that was selected before it. */
export function hostsAfterCancel<H extends Host>(
  hosts: readonly H[],
  draft: H | undefined,
  previous: H | undefined,
): { readonly hosts: readonly H[]; readonly selected: H | undefined } {
  const left = hosts.filter((host) => host !== draft)
  return { hosts: left, selected: left.find((host) => host === previous) ?? sortedHosts(left)[0] }
}

/** A deleted host keeps its ledger, files and audit entries, so only a host without seats can be deleted. */
export function canDeleteHost({ state }: Pick<Host, 'state'>): boolean {
  return state === 'Inactive'
}

const compareText = (one: string, other: string) => Number(one > other) - Number(one < other)
