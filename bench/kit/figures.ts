export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Runs a thing so many times after one that does not count, and answers the median in milliseconds. */
export async function medianTime(run: () => Promise<unknown>, times = 7): Promise<number> {
  await run()
  const taken: number[] = []
  for (let at = 0; at < times; at++) {
    const begun = performance.now()
    await run()
    taken.push(performance.now() - begun)
  }
  return median(taken)
}

export const milliseconds = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const ratio = (value: number) => `${value.toFixed(2)}×`

/** A target that was met, or not: nobody should have to compute it from the table. */
export const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**')

/** Padded as the formatter has it, so that the results of a run can be committed as they are. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) => Math.max(head.length, 3, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
