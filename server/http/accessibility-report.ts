import fs from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { parse } from 'yaml'
import type { Config } from '#server/config.ts'
import { CHAPTERS } from '#server/http/accessibility-criteria.ts'
import { escapeHtml, page } from '#server/http/plain-page.ts'

type Adherence = { level: keyof typeof LEVELS; notes?: string }
type Criterion = { num: string; components: { name: keyof typeof COMPONENTS; adherence: Adherence }[] }
type Chapter = { notes?: string; disabled?: boolean; criteria?: Criterion[] }
/** What the page shows of a report in the OpenACR format. */
type Report = {
  product: { version: string }
  report_date: string
  notes: string
  evaluation_methods_used: string
  chapters: Record<string, Chapter>
}

/** In the words of OpenACR. */
export const LEVELS = {
  supports: 'Supports',
  'partially-supports': 'Partially supports',
  'does-not-support': 'Does not support',
  'not-applicable': 'Not applicable',
}
const COMPONENTS = { web: '', none: '', 'electronic-docs': 'Electronic documents: ' }

export const readReport = (): Report =>
  parse(fs.readFileSync(new URL('../../docs/accessibility.yaml', import.meta.url), 'utf8'))

/** The page about accessibility is for visitors as well: many read it before they get access. */
export function accessibilityReport(app: FastifyInstance, { brand, links }: Config): void {
  let body: string | undefined
  app.get('/accessibility', { schema: { hide: true } }, (_request, reply) => {
    body ??= bodyOf(readReport(), links.support)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(page(`Accessibility · ${brand.name}`, reply.raw.cspNonce, body, brand.color))
  })
}

function bodyOf({ product, report_date, notes, evaluation_methods_used, chapters }: Report, support: string): string {
  return `<h1>Accessibility</h1>
<p>Conformance of version ${escapeHtml(product.version)} with WCAG 2.2, level AA, and EN 301 549, as of ${escapeHtml(report_date)}.
<a href="${escapeHtml(support)}">Report a barrier</a></p>
<p>${escapeHtml(evaluation_methods_used)}</p>
<p>${escapeHtml(notes)}</p>
${Object.entries(chapters).map(chapterOf).join('\n')}`
}

function chapterOf([id, { notes, criteria = [] }]: [string, Chapter]): string {
  const known = CHAPTERS[id]
  const rows = criteria.map(
    ({ num, components }) =>
      `<tr><th scope="row">${escapeHtml(num)} ${escapeHtml(known?.criteria[num] ?? '')}</th>${cell(components, ({ level }) => LEVELS[level])}${cell(components, (one) => one.notes ?? '')}</tr>`,
  )
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(known?.title ?? id)}</h2>
${notes ? `<p>${escapeHtml(notes)}</p>` : ''}
${rows.length > 0 ? `<table><thead><tr><th scope="col">Criterion</th><th scope="col">Level</th><th scope="col">Remarks and tests</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>` : ''}</section>`
}

/** One line for each component, and for each of its remarks and tests. */
function cell(components: Criterion['components'], text: (adherence: Adherence) => string): string {
  const lines = components.flatMap(({ name, adherence }) => `${COMPONENTS[name]}${text(adherence)}`.split('\n'))
  return `<td>${lines.map((line) => `<div>${escapeHtml(line)}</div>`).join('')}</td>`
}
