import { lazy, Suspense, useCallback, useMemo } from 'react'
import { LICENSE_DENIAL_COLUMNS, type LicenseDenial, licenseDenialList } from '#contract/license-use/denials.ts'
import type { FeatureUse } from '#contract/license-use/license-use.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { DENIAL_CAUSE_LABELS } from '#domain/license-use/logs/denial-cause.ts'
import { type Data, fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { HostLink } from '#web/parts/host-link.tsx'
import { listColumns } from '#web/table/columns/list-columns.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { sourceOf } from '#web/table/list/declared-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { TableCsv } from '#web/ui/csv-export.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './license-use.module.css'

const DenialFix = lazy(async () => ({
  default: (await import('#web/modules/license-use/denial-fix.tsx')).DenialFix,
}))

const COLUMNS = listColumns<LicenseDenial, (typeof LICENSE_DENIAL_COLUMNS)[number][0]>(
  licenseDenialList,
  LICENSE_DENIAL_COLUMNS,
  {
    time: { width: 155, kind: 'date', filter: 'text', phone: 'second line' },
    meaning: {
      width: 84,
      filter: { kind: 'text', hasValues: ['Denial (no seat within a minute)', 'Got a seat', 'Retry'] },
      cell: ({ meaning }) => <Meaning of={meaning} />,
    },
    causeText: {
      width: 124,
      filter: { kind: 'text', hasValues: Object.values(DENIAL_CAUSE_LABELS) },
      phone: 'second line',
    },
    feature: { width: 126, phone: 'first line' },
    serverName: {
      width: 120,
      text: (row) => row.serverName.replaceAll(',', ', '),
      cell: (row) => <HostLink host={row} />,
    },
    user: { width: 100, phone: 'second line' },
    host: { width: 110, isHidden: true },
    seats: { width: 76, isHidden: true },
    version: { width: 90, isHidden: true },
    code: { width: 84, isHidden: true, text: ({ code }) => String(code ?? '') },
    text: {
      header: 'FlexNet',
      width: 150,
      flexible: { min: 150 },
      filter: 'text',
      text: ({ code, text }) => [code ?? '', text ?? ''].join(' ').trim(),
    },
    serverId: { width: 140, kind: 'id', filter: 'text', isHidden: true },
  },
)

/** The word alone in a column; what it means in the tooltip, and in the details on a phone. */
function Meaning({ of }: { of: string }) {
  const [word, ...definition] = of.split(' (')
  return (
    <span title={of}>
      {word}
      {definition.length > 0 && <span className={classes.definition}> ({definition}</span>}
    </span>
  )
}

type Props = {
  days: DayRange
  serverId: string | undefined
  feature: string | undefined
  /** What the license servers reported; undefined until it is loaded. */
  report: Data<'license-use'> | undefined
}

/** Whom license servers turned away: all of them, one of them, or one feature of one. */
export function Denials({ days: { from, to }, serverId, feature, report }: Props) {
  const { number } = useKnownCustomer()
  const source = useMemo(
    () =>
      sourceOf(
        licenseDenialList,
        { customerNumber: number, from, to },
        { key: ['license-denials', number, from, to, serverId ?? '', feature ?? ''] },
      ),
    [number, from, to, serverId, feature],
  )
  const table = useTable({
    tableName: 'licenseDenials',
    columns: COLUMNS,
    urlPrefix: 'denial.',
    rowKey: ({ id }: LicenseDenial) => id,
    source,
    demands: () => [
      ...(serverId === undefined ? [] : [{ name: 'serverId', method: 'EQUALS', value: serverId } as const]),
      ...(feature === undefined ? [] : [{ name: 'feature', method: 'EQUALS', value: feature } as const]),
    ],
  })
  const features = report?.features
  const detail = useCallback(
    (denial: LicenseDenial) => (
      <Suspense>
        <DenialFix denial={denial} product={features && productOf(features, denial)} />
      </Suspense>
    ),
    [features],
  )
  const removedBefore = report?.hosts
    .flatMap((host) => (serverId === undefined || host.serverId === serverId ? (host.removedBefore ?? []) : []))
    .sort()
    .at(-1)
  const isRemoved = removedBefore !== undefined && from < removedBefore
  return (
    <DataTable
      table={table}
      title={feature === undefined ? 'Denials' : `Denials of ${feature}`}
      what="denials"
      rowName={({ feature: refused, user }) => `${refused}, ${user}`}
      detail={detail}
      notice={
        isRemoved && (
          <div className={classes.notice}>
            <SignalStrip signal="blue">
              Single denials before {removedBefore} were removed, as the settings of license use say. The numbers of
              denials under Features still count them.
            </SignalStrip>
          </div>
        )
      }
      noRows={
        isRemoved || !report
          ? `Individual denials from ${from} to ${to} are no longer kept.`
          : `Nobody was refused from ${from} to ${to}.`
      }
      actions={
        <TableCsv
          table={table}
          fetchCsv={(question) =>
            fetchFile('license-use/denials/export', { body: { customerNumber: number, from, to, ...question } })
          }
          fileName={`license-denials_${number}_${from}_${to}.csv`}
        />
      }
    />
  )
}

/** The product that gives seats of the feature on the license server, or else on another one of the account. */
function productOf(features: readonly FeatureUse[], { feature, serverId }: LicenseDenial): string | undefined {
  const feeding = features.filter((row) => row.feature === feature && row.product !== null)
  return (feeding.find((row) => row.serverId === serverId) ?? feeding[0])?.product ?? undefined
}
