import type { SaveJob } from '#web/modules/activations/plans/save-flow.ts'

/** A save is stored until it has ended, so that it can be continued in another tab or on another day. */
const keyOf = (email: string, customerNumber: string) => `save:${email}:${customerNumber}`

export function rememberSave(email: string, customerNumber: string, job: SaveJob): void {
  localStorage.setItem(keyOf(email, customerNumber), JSON.stringify(job))
}

export function forgetSave(email: string, customerNumber: string): void {
  localStorage.removeItem(keyOf(email, customerNumber))
}

function interruptedSave(email: string, customerNumber: string): SaveJob | undefined {
  try {
    const kept = localStorage.getItem(keyOf(email, customerNumber))
    return kept ? (JSON.parse(kept) as SaveJob) : undefined
  } catch {
    return undefined
  }
}

/** Runs a save. Tabs of one browser save one after the other, and know that one is saving. */
export function whileSaving(email: string, customerNumber: string, save: () => Promise<void>): Promise<void> {
  return navigator.locks ? navigator.locks.request(keyOf(email, customerNumber), save) : save()
}

/** The save that was interrupted, as soon as no tab is saving. Without TLS browsers have no locks: then at once. */
export async function whenNobodySaves(
  email: string,
  customerNumber: string,
  signal: AbortSignal,
): Promise<SaveJob | undefined> {
  const read = () => interruptedSave(email, customerNumber)
  if (!navigator.locks) return read()
  return navigator.locks.request(keyOf(email, customerNumber), { signal }, read)
}
