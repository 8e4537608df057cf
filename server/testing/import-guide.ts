import type { FileKind } from '#server/data/files/file-kind.ts'
import { type Column, columnsOf } from '#server/data/files/row-columns.ts'

/** The parts of docs/import/README.md that follow from the kinds. */
export const orderSection = (kinds: readonly FileKind[]) =>
  table(
    ['', 'kind', 'a record is', 'samples'],
    kinds.map(({ kind: { name, summary } }, at) => [
      String(at + 1),
      `\`${name}\``,
      summary,
      `[CSV](${name}.csv), [JSON lines](${name}.jsonl)`,
    ]),
  )

export const columnsSection = (kinds: readonly FileKind[]) => kinds.map(kindSection).join('\n\n')

function kindSection({ kind }: FileKind): string {
  const rows = columnsOf(kind.schema).map((column) => [
    column.isRequired ? `\`${column.name}\`` : `(\`${column.name}\`)`,
    FORMS[column.form],
    aboutOf(kind.schema.properties[column.name] as About),
  ])
  return `### ${kind.name}\n\nBy ${kind.key.map((field) => `\`${field}\``).join(', ')}.\n\n${table(['column', 'form', 'meaning'], rows)}`
}

const FORMS: Readonly<Record<Column['form'], string>> = {
  text: 'text',
  number: 'number',
  boolean: 'true, false',
  list: 'list',
  json: 'JSON',
}

type About = {
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly enum?: readonly unknown[]
}

function aboutOf({ description, examples = [], default: value, enum: values }: About): string {
  const example = examples.find((one) => one !== null && one !== '')
  return [
    description,
    values ? `One of ${values.map(code).join(', ')}` : example === undefined ? '' : `Such as ${code(example)}`,
    value === undefined || value === null || value === '' || isEmptyList(value) ? '' : `Unless given: ${code(value)}`,
  ]
    .filter(Boolean)
    .map((sentence) => `${sentence}`.replace(/[.]$/, ''))
    .join('. ')
    .replaceAll('|', '\\|')
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

/** A value as in a CSV file. */
const code = (value: unknown) => `\`${Array.isArray(value) ? value.join(';') : String(value)}\``

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) => Math.max(3, head.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
