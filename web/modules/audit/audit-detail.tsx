import { Table, Text } from '@mantine/core'
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
    ...(row.credential === null ? [] : [['Token or key', row.credential] as const]),
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
          <Table withTableBorder aria-label="Before and after">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Value</Table.Th>
                <Table.Th scope="col">Before</Table.Th>
                <Table.Th scope="col">After</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {values.slice(0, MAX_VALUES).map(({ path, before, after, isChanged }) => (
                <Table.Tr key={path}>
                  <Table.Th scope="row">{path || 'Value'}</Table.Th>
                  <Table.Td>{isChanged && before !== undefined ? <del>{before}</del> : before}</Table.Td>
                  <Table.Td>{isChanged && after !== undefined ? <ins>{after}</ins> : after}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
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
