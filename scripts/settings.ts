/** Makes docs/settings.md of the declarations in server/config/settings.ts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS, type Setting } from '#server/config/settings.ts'

export const SETTINGS_FILE = join(import.meta.dirname, '../docs/settings.md')

export function makeSettings(): string {
  const settings = Object.entries(SETTINGS) as [string, Setting][]
  const rows = settings.map(([name, { fallbackText, about, usedBy }]) => [
    `\`${name}\``,
    fallbackText,
    about.replaceAll('|', '\\|'),
    usedBy,
  ])
  const secrets = settings.filter(([, { isSecret }]) => isSecret).map(([name]) => `\`${name}\``)
  return `# Settings

<!-- Made of server/config/settings.ts by "node scripts/settings.ts". -->

Settings are environment variables, read at the start of the portal and of every command. All of them are checked, also those
that nothing uses: a wrong value ends the start with one line that names it, and so does a name that is nearly one of these (\`DATABSE_URL\`).

${table([['name', 'default', 'meaning', 'needed by'], ...rows])}

## Secrets from files

These can be read from files, such as \`OIDC_CLIENT_SECRET_FILE=/run/secrets/oidc\`. In prod, such a file must not be readable by every
user of the machine. No message prints them.

${secrets.map((name) => `- ${name}`).join('\n')}
`
}

/** As the formatter of the project writes tables: padded to the widest cell. */
function table([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

if (import.meta.main) writeFileSync(SETTINGS_FILE, makeSettings())
