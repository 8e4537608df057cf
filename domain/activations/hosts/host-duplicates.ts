import { type Host, type HostIdentity, hostParts, normalizedHost } from '#domain/activations/hosts/host.ts'
import { activeText } from '#domain/activations/plans/host-plan.ts'

const REHOST_ADVICE = 'If you want to rehost, please use the "Manage Activations" menu.'

/** The host is new, known and reused with its record, or refused. */
export type HostChoice =
  | { readonly kind: 'new'; readonly host: HostIdentity }
  | { readonly kind: 'known'; readonly host: Host }
  | { readonly kind: 'refused'; readonly message: string }

/** Whether an added host is new, one that the account has already, or refused as a duplicate. */
export function chooseAddedHost(added: HostIdentity, known: readonly Host[]): HostChoice {
  const host = normalizedHost(added)
  const same = known.find((one) => isSameHost(one, host))
  if (!same) return { kind: 'new', host }
  if (same.state === 'Inactive') return { kind: 'known', host: same }
  const message = alreadyInUse(same)
  return { kind: 'refused', message: hasSameName(same, host) ? message : `${message} ${REHOST_ADVICE}` }
}

/** The target of a rehost may be a known host if it is inactive, or if its state is unknown and its name matches. */
export function chooseRehostTarget(target: HostIdentity, known: readonly Host[]): HostChoice {
  const host = normalizedHost(target)
  const same = known.find((one) => isSameHost(one, host))
  if (!same) return { kind: 'new', host }
  if (same.state === 'Inactive') return { kind: 'known', host: same }
  if (!hasSameName(same, host)) return { kind: 'refused', message: alreadyInUse(same) }
  if (same.state === 'Unknown') return { kind: 'known', host: same }
  return { kind: 'refused', message: activeText(same) }
}

/** Hosts are the same machines if they have the same ids of the same type, in any order within a triad. */
export function isSameHost(one: HostIdentity, other: HostIdentity): boolean {
  return identifier(one) === identifier(other)
}

function identifier(host: HostIdentity): string {
  const { serverId, serverIdType } = normalizedHost(host)
  return `${hostParts(serverIdType)[0] ?? ''} ${hostParts(serverId).sort().join(',')}`
}

/** Names of computers do not depend on case. */
export function hasSameName(one: HostIdentity, other: HostIdentity): boolean {
  const names = ({ serverName }: HostIdentity) => hostParts(serverName.toLowerCase()).sort().join(',')
  return names(one) === names(other)
}

function alreadyInUse({ serverName, serverId }: HostIdentity): string {
  return `Host identifier ${serverName} (${serverId}) is already in use.`
}
