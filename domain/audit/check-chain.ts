import { CHAIN_START } from '#domain/audit/audit-line.ts'

/** A row of a chain: what is stored about it, and the hash of what it says now; null if the row itself is gone. */
export type ChainLink = {
  readonly sequence: number
  readonly previousHash: string
  readonly hash: string
  readonly computedHash: string | null
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

/**
 * Checks one chain. `next` takes its rows in their order, and `end` what the portal keeps as the end of the chain. Both answer
 * what is wrong. A chain whose oldest rows were removed begins at a checkpoint.
 */
export function checkChain(marks: readonly ChainMark[]) {
  const markAt = new Map(marks.map((mark) => [mark.sequence, mark]))
  let last: { sequence: number; hash: string } | undefined

  const beginning = ({ sequence, previousHash }: ChainLink): ChainFinding[] => {
    const expected = sequence === 1 ? CHAIN_START : markAt.get(sequence - 1)?.hash
    if (expected === previousHash) return []
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
    const mark = markAt.get(sequence)
    if (!mark || mark.hash === hash) return []
    return [{ kind: 'changed', sequence, text: `the checkpoint of ${mark.day} has another hash` }]
  }

  return {
    next(link: ChainLink): ChainFinding[] {
      if (last && link.sequence <= last.sequence)
        return [{ kind: 'inserted', sequence: link.sequence, text: 'the chain has another row of this number' }]
      const found = [...(last ? connection(link, last) : beginning(link)), ...content(link)]
      last = link
      return found
    },
    end(head: { readonly sequence: number } | undefined): ChainFinding[] {
      const reached = last?.sequence ?? 0
      const newest = marks.reduce((most, { sequence }) => Math.max(most, sequence), head?.sequence ?? 0)
      if (newest > reached) return [removed(reached + 1, newest, 'the chain was longer')]
      if (head && head.sequence < reached)
        return [
          { kind: 'inserted', sequence: head.sequence + 1, to: reached, text: 'they are beyond the end of the chain' },
        ]
      return []
    },
  }
}

const removed = (sequence: number, to: number, text: string): ChainFinding => ({
  kind: 'removed',
  sequence,
  ...(to > sequence ? { to } : {}),
  text,
})

/** `account 100001, sequence 4: changed (…)` */
export function findingText(customerNumber: string, { kind, sequence, to, text }: ChainFinding): string {
  const rows = to === undefined ? `sequence ${sequence}` : `sequences ${sequence} to ${to}`
  return `${chainName(customerNumber)}, ${rows}: ${kind} (${text})`
}

export const chainName = (customerNumber: string): string =>
  customerNumber === '' ? 'the portal itself' : `account ${customerNumber}`
