import { OPERATIONS } from '#contract/operations.ts'

/**
 * Stops the start unless the routes are those of the contract. Guard tests, the access matrix and the documentation read the
 * list in the contract, so they would not see a route that is missing there.
 */
export function checkRegistered(registered: ReadonlySet<string>): void {
  const listed = new Set(OPERATIONS.map(({ name }) => name))
  const unrouted = [...listed].filter((name) => !registered.has(name))
  if (unrouted.length > 0) throw new Error(`operations without a route: ${unrouted.join(', ')}`)
  const unlisted = [...registered].filter((name) => !listed.has(name))
  if (unlisted.length > 0)
    throw new Error(
      `routed operations that no contract/<module>/<module>.operations.ts has: ${unlisted.join(', ')}. Add their files there.`,
    )
}
