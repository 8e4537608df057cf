import { CHAIN_START } from '#domain/audit/audit-line.ts'
import type { JsonValue } from '#domain/audit/canonical-json.ts'
import { field } from '#domain/audit/words.ts'

/** A row of a chain: what is stored about it, and the hash of what it says now; null if the row itself is gone. */
export type ChainLink = {
  readonly sequence: number
  readonly previousHash: string
  readonly hash: string
  readonly computedHash: string | null
  /** What the row says that the retention removed: everything up to this sequence. */
  readonly removedTo?: number | undefined
}
/** A checkpoint whose signature is valid. */
export type ChainMark = { readonly sequence: number; readonly hash: string; readonly day: string }

export type ChainFinding = {
  readonly kind: 'changed' | 'removed' | 'inserted'
  readonly sequence: number
  /** The last of several rows. */
  readonly to?: number
  readonly text: string
}

/** Up to where an entry of the log says that the retention removed its beginning. */
export function retentionEnd({
  action,
  after,
}: {
  readonly action: string
  readonly after: JsonValue
}): number | undefined {
  const sequence = action === 'audit.retention' ? field(after, 'sequence') : undefined
  return typeof sequence === 'number' ? sequence : undefined
}

/**
 * Checks one chain. `next` takes its rows in their order, and `end` what the portal keeps as the end of the chain, what rows that
 * wait for their seal say that the retention removed, and how long the portal's own log says that the chain was. Both answer what is wrong. A chain whose oldest rows were removed by
 * the retention begins at a checkpoint, and one of its rows says so.
 */
export function checkChain(marks: readonly ChainMark[]) {
  const markAt = new Map(marks.map((mark) => [mark.sequence, mark]))
  let last: { sequence: number; hash: string } | undefined
  /** The last row before the chain, if it begins at a checkpoint. */
  let startsAfter = 0
  /** The sequence of the last checkpoint so far. */
  let markedTo = 0
  const removedTo = new Set<number | undefined>()

  const beginning = ({ sequence, previousHash }: ChainLink): ChainFinding[] => {
    const expected = sequence === 1 ? CHAIN_START : markAt.get(sequence - 1)?.hash
    if (expected === previousHash) {
      startsAfter = sequence - 1
      markedTo = startsAfter
      return []
    }
    if (sequence === 1) return [{ kind: 'changed', sequence, text: 'it does not begin the chain' }]
    return [removed(1, sequence - 1, 'and no checkpoint stands where the chain begins')]
  }
  const connection = (link: ChainLink, before: { sequence: number; hash: string }): ChainFinding[] => {
    if (link.sequence > before.sequence + 1)
      return [removed(before.sequence + 1, link.sequence - 1, 'the chain has a gap')]
    if (link.previousHash === before.hash || link.computedHash !== link.hash) return []
    return [{ kind: 'changed', sequence: before.sequence, text: 'the row after it was sealed on another one' }]
  }
  const content = ({ sequence, hash, computedHash }: ChainLink): ChainFinding[] => {
    if (computedHash === null) return [removed(sequence, sequence, 'its seal is still there')]
    if (computedHash !== hash)
      return [{ kind: 'changed', sequence, text: 'it does not have the hash that it was sealed with' }]
    return []
  }
  /** Which of the rows since the checkpoint before it is the changed one, their hashes cannot say. */
  const place = ({ sequence, hash }: ChainLink): ChainFinding[] => {
    const mark = markAt.get(sequence)
    if (!mark) return []
    const from = markedTo + 1
    markedTo = sequence
    if (mark.hash === hash) return []
    return [finding('changed', from, sequence, `the checkpoint of ${mark.day} has another hash`)]
  }

  return {
    next(link: ChainLink): ChainFinding[] {
      if (last && link.sequence <= last.sequence)
        return [{ kind: 'inserted', sequence: link.sequence, text: 'the chain has another row of this number' }]
      const found = [...(last ? connection(link, last) : beginning(link)), ...content(link), ...place(link)]
      last = link
      removedTo.add(link.removedTo)
      return found
    },
    end(
      head: { readonly sequence: number } | undefined,
      waiting: readonly (number | undefined)[] = [],
      named = 0,
    ): ChainFinding[] {
      const reached = last?.sequence ?? 0
      const newest = marks.reduce(
        (most, { sequence }) => Math.max(most, sequence),
        Math.max(named, head?.sequence ?? 0),
      )
      const isUnexplained = startsAfter > 0 && !removedTo.has(startsAfter) && !waiting.includes(startsAfter)
      const found = isUnexplained ? [removed(1, startsAfter, 'no entry says that the retention removed them')] : []
      if (newest > reached)
        found.push(removed(reached + 1, newest, last ? 'the chain was longer' : 'the whole chain is gone'))
      else if (head && head.sequence < reached)
        found.push(finding('inserted', head.sequence + 1, reached, 'they are beyond the end of the chain'))
      return found
    },
  }
}

const finding = (kind: ChainFinding['kind'], sequence: number, to: number, text: string): ChainFinding => ({
  kind,
  sequence,
  ...(to > sequence ? { to } : {}),
  text,
})
const removed = (sequence: number, to: number, text: string) => finding('removed', sequence, to, text)

/** `account 100001, sequence 4: changed (…)` */
export function findingText(customerNumber: string, { kind, sequence, to, text }: ChainFinding): string {
  const rows = to === undefined ? `sequence ${sequence}` : `sequences ${sequence} to ${to}`
  return `${chainName(customerNumber)}, ${rows}: ${kind} (${text})`
}

export const chainName = (customerNumber: string): string =>
  customerNumber === '' ? 'the portal itself' : `account ${customerNumber}`
