import type { Operation } from '#contract/kit/operation.ts'

/** Set by `npm run test:full`: tests that generate their cases try all of them, others a sample. */
export const isFullRun = Boolean(process.env.FULL)

/** The first item of every class; in a full run, all items. */
export function onePerClass<T>(items: readonly T[], classOf: (item: T) => string): T[] {
  if (isFullRun) return [...items]
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = classOf(item)
    return !seen.has(key) && seen.add(key)
  })
}

/** Operations of one class read a body in the same way, before its fields are validated. */
export function bodyClass({ method, writes, bodyLimit, upload, access }: Operation): string {
  const named = 'customerNumberIn' in access ? access.customerNumberIn : undefined
  return JSON.stringify([method, writes, bodyLimit, upload !== undefined, access.kind, named])
}
