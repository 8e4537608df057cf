/** Feature and activation id identify a license. Reissued ones differ in date and signature only. */
export type DifferenceSummary = {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly reissued: number
  readonly unchanged: number
}

export function differenceText({ added, removed, changed, reissued, unchanged }: DifferenceSummary): string {
  const parts = [
    [added, 'added'],
    [removed, 'removed'],
    [changed, 'changed'],
    [reissued + unchanged, 'unchanged'],
  ] as const
  const counts = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return counts.length > 0 ? `Licenses: ${counts.join(', ')}.` : 'Neither file has licenses.'
}
