import type { UsageFormat } from '#contract/elastic/usage/usage-exports.ts'
import { EXPORT_KEPT_DAYS, MAX_EXPORT, TOO_MANY_TRANSACTIONS } from '#domain/elastic/usage/usage-export.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { ask } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import { usageExportKinds } from '#web/modules/elastic/usage/usage-export.kind.ts'
import { ExportsDialog } from '#web/parts/tasks/exports.dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type Props = { filter: FilterInput; format: UsageFormat; total: number; onClose(): void }

export function UsageExportsDialog({ filter, format, total, onClose }: Props) {
  const { number } = useKnownCustomer()
  return (
    <ExportsDialog
      customerNumber={number}
      kinds={usageExportKinds}
      keptDays={EXPORT_KEPT_DAYS}
      total={total}
      what={`${countOf(total, 'transaction')}${format === 'pdf' ? ' as PDF for finance' : ''}`}
      unchanged="no usage has been received since"
      start={() => ask('fetchUsage/exports/start', { body: { customerNumber: number, filter, format } })}
      onClose={onClose}
    >
      {total > MAX_EXPORT && (
        <SignalStrip signal="orange" role="status">
          {TOO_MANY_TRANSACTIONS} Or export all of them in the background.
        </SignalStrip>
      )}
    </ExportsDialog>
  )
}
