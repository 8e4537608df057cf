import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a condition, not for a time: returns as soon as it holds, and throws what was missing if it never does. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  complaint: string,
  patience = 20_000,
): Promise<void> {
  const deadline = Date.now() + patience
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(complaint)
    await sleep(20)
  }
}
