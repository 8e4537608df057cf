import fs from 'node:fs'

const RESULTS = new URL('../RESULTS.md', import.meta.url)

/** What comes before the first section, and the sections, each with its heading. */
export type Results = { head: string; sections: readonly (readonly [heading: string, text: string])[] }

/** Each benchmark owns its sections, and the full run the head as well. Sections of others stay as they are. */
export function saveResults(measured: Partial<Results>): void {
  fs.writeFileSync(RESULTS, mergedResults(fs.readFileSync(RESULTS, 'utf8'), measured))
}

export function mergedResults(before: string, { head, sections = [] }: Partial<Results>): string {
  const [oldHead = '', ...parts] = before.split(/^(?=## )/m)
  for (const [heading, text] of sections) {
    const at = parts.findIndex((one) => one.startsWith(`## ${heading}\n`))
    // Where the results have no such section yet, it becomes the last one.
    parts.splice(at < 0 ? parts.length : at, 1, formatSection(heading, text))
  }
  return `${[head ?? oldHead, ...parts].map((one) => one.trim()).join('\n\n')}\n`
}

export function formatResults({ head, sections }: Results): string {
  return [head, ...sections.map(([heading, text]) => formatSection(heading, text))].join('\n\n')
}

const formatSection = (heading: string, text: string) => `## ${heading}\n\n${text}`
