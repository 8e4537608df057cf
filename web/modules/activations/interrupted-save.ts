import type { SaveJob } from '#web/modules/activations/save-flow.ts'

/** A save is stored until it has ended, so that it can be continued in another tab or on another day. */
const keyOf = (email: string, customerNumber: string) => `save:${email}:${customerNumber}`

export function rememberSave(email: string, customerNumber: string, job: SaveJob): void {
  localStorage.setItem(keyOf(email, customerNumber), JSON.stringify(job))
}

export function forgetSave(email: string, customerNumber: string): void {
  localStorage.removeItem(keyOf(email, customerNumber))
}

export function interruptedSave(email: string, customerNumber: string): SaveJob | undefined {
  try {
    const kept = localStorage.getItem(keyOf(email, customerNumber))
    return kept ? (JSON.parse(kept) as SaveJob) : undefined
  } catch {
    return undefined
  }
}
