/** '2026R1.3' is shown as '2026R1': revisions of a rate table are the vendor's own affair. */
export function shownRateTable(version: string): string {
  return version.split('.', 1)[0] ?? ''
}
