const widths = new Map<string, number>()
const REPEATS = 10

/** How wide text in tabular figures is. Each character is measured once: figures and dates have few different ones. */
export function figuresWidth(text: string): number {
  const unknown = [...new Set(text)].filter((character) => !widths.has(character))
  if (unknown.length > 0) measure(unknown)
  return [...text].reduce((sum, character) => sum + (widths.get(character) ?? 0), 0)
}

function measure(characters: readonly string[]): void {
  const probes = characters.map((character) => {
    const probe = document.createElement('span')
    probe.style.cssText =
      'position: absolute; visibility: hidden; white-space: pre; font-size: 14px; font-variant-numeric: tabular-nums'
    probe.textContent = character.repeat(REPEATS)
    return probe
  })
  document.body.append(...probes)
  for (const [index, probe] of probes.entries())
    widths.set(characters[index] ?? '', probe.getBoundingClientRect().width / REPEATS)
  for (const probe of probes) probe.remove()
}
