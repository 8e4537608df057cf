import { setTimeout as sleep } from 'node:timers/promises'
import { limit } from '#server/testing/slowness.ts'

/** Waits for a condition, not for a time: returns as soon as it holds. Throws the complaint after a time that only ends a test that hangs. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  complaint: string,
  milliseconds = 60_000,
): Promise<void> {
  const deadline = Date.now() + limit(milliseconds)
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(complaint)
    await sleep(20)
  }
}
