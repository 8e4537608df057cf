import { Autocomplete, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { endedIn, financeFileName, type UsageFormat } from '#contract/elastic/usage/usage-exports.ts'
import type { Sum } from '#contract/kit/list.ts'
import { type Preset, presetRange } from '#domain/calendar/presets.ts'
import { MAX_EXPORT, TOO_MANY_TRANSACTIONS } from '#domain/elastic/usage/usage-export.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { EmailFiles } from '#web/modules/elastic/statements/email-files.tsx'
import { usageSource } from '#web/modules/elastic/usage/usage.api.ts'
import { UsageExportsDialog } from '#web/modules/elastic/usage/usage-exports.dialog.tsx'
import { countQuery, distinctQuery, sumQuery } from '#web/table/list/list-queries.ts'
import { NOTHING_TO_EXPORT } from '#web/ui/csv-export.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

const PERIODS: readonly Preset[] = [
  'Last month',
  'This month',
  'Last quarter',
  'This quarter',
  'Last year',
  'This year',
]

/** The usage of a period, of one project or of all, as a PDF and a CSV file. */
export function FinanceReportDialog({ onClose }: { onClose(): void }) {
  const { number, info } = useKnownCustomer()
  const source = useMemo(() => usageSource(number), [number])
  const [period, setPeriod] = useState<Preset>('Last month')
  const [project, setProject] = useState('')
  const wanted = project.trim()
  // Nothing is counted while somebody types.
  const [settled] = useDebouncedValue(wanted, 300)
  const ended = endedIn(presetRange(period, info.today), info.timeZone)
  const filter = allOf([
    ended,
    ...(settled === '' ? [] : [{ name: 'Project', method: 'EQUALS' as const, value: settled }]),
  ])
  const projects = useQuery(distinctQuery(source, 'Project', allOf([ended])))
  const count = useQuery(countQuery(source, filter))
  const sums = useQuery({ ...sumQuery(source, filter), enabled: (count.data ?? 0) > 0 })
  const fileName = financeFileName(number, filter, info.timeZone)
  const download = useMutation({
    mutationFn: () =>
      Promise.all([
        fetchFile('fetchUsage/pdf', { body: { customerNumber: number, filter } }),
        fetchFile('fetchUsage/export', { body: { customerNumber: number, filter } }),
      ]),
    onSuccess: ([pdf, csv]) => {
      saveFile(pdf, `${fileName}.pdf`)
      saveFile(csv, `${fileName}.csv`)
      showPanel('success', `${fileName}.pdf and ${fileName}.csv were downloaded.`)
      onClose()
    },
  })
  /** The background export that takes the place of this dialog. */
  const [background, setBackground] = useState<UsageFormat>()
  const failure = count.error ?? download.error
  const reason =
    count.data === undefined || settled !== wanted
      ? 'The transactions are still being counted.'
      : count.data > MAX_EXPORT
        ? TOO_MANY_TRANSACTIONS
        : count.data === 0
          ? NOTHING_TO_EXPORT
          : undefined
  const total = count.data ?? 0
  if (background) return <UsageExportsDialog filter={filter} format={background} total={total} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title="Report for finance" size={660}>
      <Stack gap="md">
        <Autocomplete
          label="Project"
          placeholder="All projects"
          maxLength={255}
          // More than 500 projects cannot be listed. A name that is typed in full is found all the same.
          data={projectNames(projects.data)}
          limit={100}
          value={project}
          onChange={setProject}
          data-autofocus
        />
        <NativeSelect
          label="Period"
          description="Sessions count in the period in which they ended, as in statements."
          data={PERIODS.map((one) => ({ value: one, label: periodLabel(one, info.today) }))}
          value={period}
          onChange={({ currentTarget }) => setPeriod(currentTarget.value as Preset)}
        />
        <Text size="sm" role="status" mih="1.5em">
          {count.data !== undefined && totalText(count.data, sums.data ?? [])}
        </Text>
        {failure && (
          <SignalStrip signal="red" role="alert">
            {failureText(failure)}
          </SignalStrip>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <EmailFiles
            what={`${countOf(total, 'transaction')} of ${wanted || 'all projects'}`}
            send={(recipients, key) =>
              call('fetchUsage/email', { body: { customerNumber: number, filter, recipients }, idempotencyKey: key })
            }
            reason={reason}
          />
          {total > MAX_EXPORT && settled === wanted ? (
            <>
              <Button variant="default" onClick={() => setBackground('csv')}>
                CSV in the background
              </Button>
              <Button onClick={() => setBackground('pdf')}>PDF in the background</Button>
            </>
          ) : (
            <ReasonTooltip reason={reason}>
              <Button loading={download.isPending} onClick={() => download.mutate()}>
                Download PDF and CSV
              </Button>
            </ReasonTooltip>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

const allOf = (criteria: FilterInput['criteria']): FilterInput => ({ condition: 'ALL', criteria })

/** Names that differ in case alone are one project: they are filtered alike. */
function projectNames(values: readonly (string | null)[] | undefined): string[] {
  const names = (values ?? []).filter((value) => value !== null && value.trim() !== '') as string[]
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].sort((a, b) => a.localeCompare(b))
}

function periodLabel(period: Preset, today: string): string {
  const { from, to } = presetRange(period, today)
  return `${period} (${from} – ${to})`
}

/** "1,204 transactions, 310.55 hours, 3,310.22 AEU". Costs in different currencies cannot be added. */
function totalText(count: number, sums: readonly Sum[]): string {
  const parts = sums.map(
    ({ by, sums: { Hours = '0', Charge = '0' } }) =>
      `${formatDecimal(Hours, 2)} hours, ${formatDecimal(Charge, 2)} ${by ?? ''}`,
  )
  return [countOf(count, 'transaction'), ...parts].join(' · ')
}
