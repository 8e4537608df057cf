export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Runs functions in turns, after one warm-up round, and returns the median of each in milliseconds. Taking turns
 * spreads other load on the machine evenly over all of them.
 */
export async function medianTimes<const R extends readonly (() => Promise<unknown>)[]>(
  runs: R,
  times = 7,
): Promise<{ -readonly [K in keyof R]: number }> {
  const taken: number[][] = runs.map(() => [])
  for (const run of runs) await run()
  for (let at = 0; at < times; at++)
    for (const [which, run] of runs.entries()) {
      const begun = performance.now()
      await run()
      taken[which]?.push(performance.now() - begun)
    }
  return taken.map(median) as { -readonly [K in keyof R]: number }
}

export const milliseconds = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const ratio = (value: number) => `${value.toFixed(2)}×`

/** States whether a target was met, so that no reader has to compute it from the table. */
export const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**')

/** Pads cells as the formatter does, so that the results of a run can be committed unchanged. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) => Math.max(head.length, 3, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
