/** Set by `npm run test:full`: tests that generate their cases try all of them, others a sample. */
export const isFullRun = Boolean(process.env.FULL)

/** The first item of every class. A full run takes them all. */
export function onePerClass<T>(items: readonly T[], classOf: (item: T) => string): T[] {
  if (isFullRun) return [...items]
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = classOf(item)
    return !seen.has(key) && seen.add(key)
  })
}
