import { Text } from '@mantine/core'
import type { AuditRow } from '#contract/audit/audit.ts'
import { compareStates } from '#domain/audit/compare-states.ts'
import { SEALING } from '#web/modules/audit/audit-columns.tsx'
import classes from './audit.module.css'

/** More values of one entry, such as those of a large import, are only in the exports. */
const MAX_VALUES = 200

/** Facts with a line of their own. */
const LONG: ReadonlySet<string> = new Set(['Program', 'Hash'])

/** An opened row: where it came from, its place in the chain, and what was before and after it. */
export function AuditDetail({ row }: { row: AuditRow }) {
  const values = compareStates(row.before, row.after)
  const facts = [
    ['Who', `${row.actor} (${row.actorKind})`],
    ...(row.credential === null
      ? []
      : [[row.actorKind === 'person' ? 'Through' : 'Token or key', row.credential] as const]),
    ['Address', row.address],
    ['Action', row.action],
    ['Program', row.program ?? 'Not known'],
    ['Hash', row.hash ?? SEALING],
  ] as const
  return (
    <div className={classes.detail}>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name} data-long={LONG.has(name) || undefined}>
            <dt>{name}</dt>
            <dd className={name === 'Hash' ? classes.hash : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      {values.length === 0 ? (
        <Text size="sm" c="dimmed">
          This entry has no values before or after.
        </Text>
      ) : (
        <div className={classes.values}>
          <table className="plain-table" aria-label="Before and after">
            <thead>
              <tr>
                <th scope="col">Value</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {values.slice(0, MAX_VALUES).map(({ path, before, after, isChanged }) => (
                <tr key={path}>
                  <th scope="row">{path || 'Value'}</th>
                  <td>{isChanged && before !== undefined ? <del>{before}</del> : before}</td>
                  <td>{isChanged && after !== undefined ? <ins>{after}</ins> : after}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {values.length > MAX_VALUES && (
            <Text size="sm" c="dimmed">
              {values.length - MAX_VALUES} more values are in the NDJSON export.
            </Text>
          )}
        </div>
      )}
    </div>
  )
}
