import { Button, Group, NativeSelect } from '@mantine/core'
import { IconAlertTriangleFilled, IconSettings, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type FeatureUse, type HostReport, licenseUseFileName } from '#contract/license-use/license-use.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf, countText, timeText } from '#web/lib/format.ts'
import { Denials } from '#web/modules/license-use/denials.tsx'
import { FEATURE_COLUMNS, FEATURE_FIELDS } from '#web/modules/license-use/feature-columns.tsx'
import { bodyOf, licenseUseQuery } from '#web/modules/license-use/license-use.api.ts'
import { Logs } from '#web/modules/license-use/logs.tsx'
import { SimpleTable } from '#web/modules/license-use/simple-table.tsx'
import { WaitingLine } from '#web/modules/license-use/waiting/waiting-line.tsx'
import { HostLink } from '#web/parts/host-link.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import { useTableView } from '#web/table/view/use-table-view.ts'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { daysOf, type Period, REPORT_PERIODS, readPeriod, savePeriod } from '#web/ui/date-range/period.ts'
import { PeriodBar } from '#web/ui/date-range/period-bar.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { PdfExport } from '#web/ui/pdf-export.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import classes from './license-use.module.css'

const FeatureDetails = lazy(async () => ({
  default: (await import('#web/modules/license-use/feature-details.tsx')).FeatureDetails,
}))
const SettingsDialog = lazy(async () => ({
  default: (await import('#web/modules/license-use/settings.dialog.tsx')).SettingsDialog,
}))
const UploadDialog = lazy(async () => ({
  default: (await import('#web/modules/license-use/upload.dialog.tsx')).UploadDialog,
}))

const VIEW = { tableName: 'licenseUse', columns: FEATURE_COLUMNS, sorting: [], urlPrefix: '' } as const
const BY_DENIALS = [
  { column: 'realDenials', direction: 'desc' },
  { column: 'peak', direction: 'desc' },
] as const

/** What the license servers of an account really use, and whom they turned away. */
export function Page() {
  const { number, info } = useKnownCustomer()
  const [search, setSearch] = useSearchParams()
  const [dialog, setDialog] = useState<'upload' | 'settings'>()
  const { view, extra, isReady } = useTableView({ ...VIEW, customerNumber: number })
  const period = readPeriod(extra, info.timeZone, REPORT_PERIODS)
  const days = daysOf(period, info.today)
  const serverId = search.get('server') ?? undefined
  const feature = search.get('feature')
  const featureServer = search.get('on') ?? serverId
  const scope = { customerNumber: number, serverId, days }
  const query = useQuery({ ...licenseUseQuery(scope), enabled: isReady })
  const all = useQuery({ ...licenseUseQuery({ ...scope, serverId: undefined }), enabled: isReady })
  // A filter finds what is not used, too.
  const [showsUnused, setShowsUnused] = useState(false)
  const features = query.data?.features
  const used = useMemo(() => features?.filter(isUsed), [features])
  const unused = used && features && used.length > 0 && !hasFilters(view) ? features.length - used.length : 0
  const source = loadedSource(['license-use', number, serverId ?? '', days.from, days.to], FEATURE_FIELDS, {
    error: query.error,
    refetch: query.refetch,
    data: showsUnused || hasFilters(view) || used?.length === 0 ? features : used,
  })
  const table = useTable({ ...VIEW, naturalSorting: BY_DENIALS, rowKey, source })
  const choose = (next: Period) => table.state.change(({ view }) => ({ view, extra: savePeriod(next, REPORT_PERIODS) }))
  const change = (names: Record<string, string | undefined>) => setSearch((before) => changed(before, names))
  const hrefOf = ({ serverId: on, feature }: FeatureUse) => `/license-use?${changed(search, { feature, on })}`
  const reason = useCan('activations.write') ? undefined : NOT_ENOUGH_PERMISSIONS
  const hosts = all.data?.hosts ?? []
  const chosen = query.data?.features.find((row) => row.feature === feature && row.serverId === featureServer)
  const report = query.data?.hosts.find((host) => host.serverId === chosen?.serverId)
  const asOf =
    [report?.logAt, report?.statusAt]
      .flatMap((at) => at ?? [])
      .sort()
      .at(-1) ?? null
  const fileName = licenseUseFileName(number, days.from, days.to)
  return (
    <>
      <PageHead
        context={<Context hosts={query.data?.hosts ?? []} />}
        actions={
          <>
            <ReasonTooltip reason={reason}>
              <Button
                variant="default"
                leftSection={<IconSettings size={16} aria-hidden />}
                onClick={() => setDialog('settings')}
              >
                Settings
              </Button>
            </ReasonTooltip>
            <CsvExport
              fetchCsv={() => fetchFile('license-use/export', { body: bodyOf(scope) })}
              fileName={`${fileName}.csv`}
              total={query.data?.features.length}
              size="sm"
            />
            <PdfExport
              fetchPdf={() => fetchFile('license-use/pdf', { body: bodyOf(scope) })}
              fileName={`${fileName}.pdf`}
              isDisabled={!query.data}
            />
            <ReasonTooltip reason={reason ?? (hosts.length === 0 ? 'This account has no license server.' : undefined)}>
              <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setDialog('upload')}>
                Upload log
              </Button>
            </ReasonTooltip>
          </>
        }
      />
      <div className={classes.sections}>
        <div className={classes.bar}>
          <PeriodBar periods={REPORT_PERIODS} period={period} days={days} onChoose={choose} />
          <NativeSelect
            className={classes.servers}
            size="xs"
            aria-label="License server"
            value={serverId ?? ''}
            onChange={(event) => change({ server: event.currentTarget.value || undefined, feature: undefined })}
            data={[
              { value: '', label: 'All license servers' },
              ...hosts.map((host) => ({ value: host.serverId, label: host.serverName.replaceAll(',', ', ') })),
            ]}
          />
        </div>
        <DataTable
          table={table}
          what="features"
          title="Features"
          noRows="No license server has reported in this period. Upload a debug log or the output of lmstat -a, or set up the collector."
          rowHref={hrefOf}
          rowActions={(row: FeatureUse) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Details of ${row.feature} on ${row.serverName}`}
              onClick={() => change({ feature: row.feature, on: row.serverId })}
            >
              Details
            </Button>
          )}
          actionsWidth={84}
        />
        {unused > 0 && (
          <Group mt="-0.5rem">
            <Button variant="default" size="xs" onClick={() => setShowsUnused(!showsUnused)}>
              {showsUnused ? 'Hide' : 'Show'} {countText(unused)} unused
            </Button>
          </Group>
        )}
        <Suspense>{chosen && <FeatureDetails key={rowKey(chosen)} row={chosen} days={days} asOf={asOf} />}</Suspense>
        {isReady && <WaitingLine feature={chosen?.feature} serverId={chosen?.serverId ?? serverId} />}
        {isReady && (
          <Denials days={days} serverId={chosen?.serverId ?? serverId} feature={chosen?.feature} report={query.data} />
        )}
        <Reports hosts={query.data?.hosts ?? []} />
        {isReady && <Logs serverId={serverId} />}
      </div>
      <Suspense>
        {dialog === 'upload' && (
          <UploadDialog hosts={hosts} onShow={(range) => choose({ range })} onClose={() => setDialog(undefined)} />
        )}
        {dialog === 'settings' && <SettingsDialog onClose={() => setDialog(undefined)} />}
      </Suspense>
    </>
  )
}

function changed(search: URLSearchParams, names: Record<string, string | undefined>): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(names))
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  return next
}

const isUsed = ({ peak, inUse, queued, denials }: FeatureUse) =>
  [peak, inUse, queued, denials].some((count) => (count ?? 0) > 0)
const rowKey = ({ serverId, feature }: FeatureUse) => `${serverId} ${feature}`

/** Below the title, where a line is free before the reports arrive. */
function Context({ hosts }: { hosts: readonly HostReport[] }) {
  const silent = hosts.filter(({ isSilent }) => isSilent)
  const failing = hosts.filter(({ statusError, isSilent }) => statusError !== null && !isSilent)
  return (
    <div className={classes.context}>
      {silent.map(({ serverId, serverName, reportedAt }) => (
        <Warning key={serverId}>
          <HostLink host={{ serverId, serverName }} isInText /> has not reported since {timeText(reportedAt)}.
        </Warning>
      ))}
      {failing.map(({ serverId, serverName, statusError }) => (
        <Warning key={serverId}>
          <HostLink host={{ serverId, serverName }} isInText />: lmstat said nothing about seats. {statusError}
        </Warning>
      ))}
      <span className={classes.times}>Times are those of the license server.</span>
    </div>
  )
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <span className={classes.warning} data-signal="orange">
      <IconAlertTriangleFilled size={14} aria-hidden /> {children}
    </span>
  )
}

/** What arrived from each license server, and which lines could not be read. */
function Reports({ hosts }: { hosts: readonly HostReport[] }) {
  const reporting = hosts.filter(({ reportedAt }) => reportedAt !== null)
  if (reporting.length === 0) return null
  return (
    <SimpleTable
      title="Reports"
      head={['License server', 'Last report', 'Last log line', 'Last lmstat', 'Lines', 'Lines not read']}
      numbers={[4, 5]}
      rows={reporting.map((host) => ({
        key: host.serverId,
        cells: [
          <HostLink key="server" host={host} />,
          timeText(host.reportedAt),
          host.logAt ?? '',
          host.statusAt ?? '',
          countText(host.lines),
          countText(host.unreadLines),
        ],
        note: unreadText(host),
      }))}
    />
  )
}

const MAX_PROBLEMS = 10

/** Which lines could not be read, of each log: lines of different logs have the same numbers. */
function unreadText({ logs, statusProblems, unreadLines }: HostReport): string | undefined {
  const texts = [...logs, { name: 'the last lmstat output', problems: statusProblems }]
  const problems = texts.flatMap(({ name, problems }) => problems.map((problem) => ({ ...problem, name })))
  if (problems.length === 0) return undefined
  const shown = Map.groupBy(problems.slice(0, MAX_PROBLEMS), ({ name }) => name)
  const parts = [...shown].map(([name, lines]) => {
    const text = lines.map(({ line, code }) => `line ${line} (${code.replaceAll('-', ' ')})`).join(', ')
    return logs.length > 1 || statusProblems.length > 0 ? `${text} of ${name}` : text
  })
  const more = unreadLines - Math.min(problems.length, MAX_PROBLEMS)
  return `Not read or doubtful: ${parts.join('; ')}${more > 0 ? `, and ${countOf(more, 'more line')}` : ''}`
}
