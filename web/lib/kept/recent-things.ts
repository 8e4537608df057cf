import { readKept, writeKept } from '#web/lib/kept/kept.ts'

/** Something that a person opened on an account. */
export type RecentThing = {
  readonly label: string
  readonly detail: string
  /** The screen that shows it. */
  readonly screen: string
  /** The address of the thing, which identifies it. */
  readonly to: string
}

const MAX = 6

const nameOf = (email: string, customerNumber: string) => `recent:${email}:${customerNumber}`

/** What this person opened last on the account in this browser, newest first. */
export function recentThings(email: string, customerNumber: string): readonly RecentThing[] {
  try {
    const kept: unknown = JSON.parse(readKept(nameOf(email, customerNumber)) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

export function noteRecent(email: string, customerNumber: string, { label, detail, screen, to }: RecentThing): void {
  const others = recentThings(email, customerNumber).filter((one) => one.to !== to)
  writeKept(nameOf(email, customerNumber), JSON.stringify([{ label, detail, screen, to }, ...others].slice(0, MAX)))
}
