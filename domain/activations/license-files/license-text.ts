import { hostParts } from '#domain/activations/hosts/host.ts'
import { licenseHostId } from '#domain/activations/hosts/host-id.ts'
import { THIS_HOST, writtenHostName } from '#domain/activations/hosts/host-name.ts'
import { withFileSignature } from '#domain/activations/license-files/file-signature.ts'
import {
  hostIdsOf,
  isNodeLocked,
  type LicensedActivation,
  type LicenseIssue,
  licenseBlock,
} from '#domain/activations/license-files/license-block.ts'
import type { Sign } from '#domain/activations/license-files/license-signature.ts'
import { licenseWord } from '#domain/activations/license-files/license-words.ts'

/** The vendor's daemons, in the order in which files list them; unknown ones follow. */
const DAEMONS: readonly string[] = ['ansyslmd', 'ansoftd', 'fluentd', 'apacheda', 'sequenced']
const NODE_LOCKED_SUFFIX = '_nodelocked'

/**
 * The license file of a host: everything that is given, of all its customers, with one issue date. A shared file is made
 * anew from all its customers in this way and never pasted together. Undefined if nothing is left to license.
 */
export function licenseText(
  activations: readonly LicensedActivation[],
  issue: LicenseIssue,
  sign: Sign,
): string | undefined {
  const licensed = licensedActivations(activations, issue)
  return licensed.length > 0 ? fileText(licensed, issue, sign) : undefined
}

/** One license file per daemon, each one complete on its own. Node-locked licenses need no server and stand under a name of their own. */
export function licenseTextByDaemon(
  activations: readonly LicensedActivation[],
  issue: LicenseIssue,
  sign: Sign,
): Record<string, string> {
  const byDaemon = Map.groupBy(licensedActivations(activations, issue), (one) =>
    isNodeLocked(one) ? `${one.daemon}${NODE_LOCKED_SUFFIX}` : one.daemon,
  )
  return Object.fromEntries([...byDaemon].map(([daemon, own]) => [daemon, fileText(own, issue, sign)]))
}

/** What has seats and has not expired, in an order that depends on nothing else: the same state gives the same bytes. */
function licensedActivations(activations: readonly LicensedActivation[], { issuedOn }: LicenseIssue) {
  return activations
    .filter(({ seats, endDate }) => seats > 0 && (endDate === null || endDate >= issuedOn))
    .sort(
      (one, other) =>
        compare(one.customerNumber, other.customerNumber) ||
        compare(one.product, other.product) ||
        compare(one.activationId, other.activationId),
    )
}

function fileText(licensed: readonly LicensedActivation[], issue: LicenseIssue, sign: Sign): string {
  const served = licensed.filter((one) => !isNodeLocked(one))
  const blocks = licensed.map((one, index) => licenseBlock(index + 1, one, issue, sign))
  const body = `${[...(served.length ? serverLines(served, issue) : []), ...blocks].join('\n')}\n`
  return withFileSignature(body, issue.keyId, sign)
}

function serverLines(served: readonly LicensedActivation[], { host }: LicenseIssue): string[] {
  const names = hostParts(host.serverName)
  const servers = hostIdsOf(host).map(({ type, id }, index) =>
    ['SERVER', serverName(names[index]), licenseHostId({ type, id: licenseWord(id) }), host.port].join(' '),
  )
  const daemons = new Set([...DAEMONS, ...served.map(({ daemon }) => daemon)])
  const used = [...daemons].filter((name) => served.some(({ daemon }) => daemon === name))
  return [...servers, ...used.map((daemon) => `VENDOR ${licenseWord(daemon)}`), 'USE_SERVER']
}

/** A name that a file cannot hold is left to the administrator: the placeholder means the computer that the file is on. */
function serverName(name = ''): string {
  return writtenHostName(name) ?? THIS_HOST
}

const compare = (one: string, other: string) => Number(one > other) - Number(one < other)
