import type { Outcome } from '#domain/audit/audit-line.ts'

/*
 * Of what the words for acts are made. Operations declare theirs with these.
 */

/** What the log keeps about an act. */
export type AuditedAct = {
  readonly action: string
  readonly target: string | null
  readonly before: unknown
  readonly after: unknown
  readonly outcome: Outcome
  readonly reason: string | null
}
type Facts = Pick<AuditedAct, 'target' | 'before' | 'after'>

/** `what` completes "Refused to …"; `done` is what happened, in words. */
export type Words = { readonly what: string; done(facts: Facts): string }

/** Always the same words: "Changed the reminders". */
export const plain = (did: string, what: string): Words => ({ what, done: () => did })

/** An act on what `target` names: "Changed the PIN of els-1". */
export const act = (did: string, what: string, preposition = 'of'): Words => ({
  what,
  done: ({ target }) => (target ? [did, preposition, target].filter(Boolean).join(' ') : did),
})

/** An act on something with a name, before or after it: "Made the token ERP". */
export const named = (did: string, what: string, of: 'before' | 'after', name = 'name'): Words => ({
  what,
  done: (facts) => `${did} ${text(field(facts[of], name)) || (facts.target ?? '')}`.trimEnd(),
})

export const download = (noun: string): Words => ({
  what: `download ${noun}`,
  done: ({ target }) => (target ? `Downloaded ${noun}: ${target}` : `Downloaded ${noun}`),
})

export const email = (noun: string): Words => ({
  what: `email ${noun}`,
  done: ({ target, after }) => {
    const to = texts(field(after, 'recipients'))
    return `Emailed ${noun}${target ? ` (${target})` : ''}${to.length > 0 ? ` to ${some(to)}` : ''}`
  },
})

/** A record that the vendor's systems wrote: "Changed the contact 1:a@x: role". */
export const savedRecord = (noun: string): Words => ({
  what: `save ${noun}`,
  done({ target, before, after }) {
    if (before === null || before === undefined) return `Added ${noun} ${target}`
    return `Changed ${noun} ${target}: ${some(Object.keys(isObject(after) ? after : {}))}`
  },
})

export function rows(after: unknown): string {
  const count = field(after, 'rows')
  return typeof count === 'number' ? ` with ${counted(count, 'row')}` : ''
}

/** ": added a, removed b" */
export function difference(before: readonly string[], after: readonly string[]): string {
  const added = after.filter((one) => !before.includes(one))
  const removed = before.filter((one) => !after.includes(one))
  const parts = [
    ...(added.length > 0 ? [`added ${some(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${some(removed)}`] : []),
  ]
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

const MAX_NAMES = 3
export function some(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  const others = distinct.length - MAX_NAMES
  return others > 0 ? `${distinct.slice(0, MAX_NAMES).join(', ')} and ${counted(others, 'other')}` : distinct.join(', ')
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
export const field = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)
export const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
export const texts = (value: unknown): string[] =>
  elements(value)
    .map(text)
    .filter((one) => one !== '')
export const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
