import { Anchor, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UsageExport } from '#contract/elastic/usage-exports.ts'
import { EXPORT_KEPT_DAYS, MAX_EXPORT, TOO_MANY_TRANSACTIONS } from '#domain/elastic/usage-export.ts'
import type { FilterInput } from '#domain/kit/filter.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/figures.ts'
import { timeText } from '#web/lib/time-text.ts'
import { exportAddress, isBeingMade, startExport, usageExportsQuery } from '#web/modules/elastic/usage-exports.api.ts'
import { FailureNotice } from '#web/ui/failure/failure-notice.tsx'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'
import classes from './usage.module.css'

type Props = { filter: FilterInput; total: number; onClose(): void }

/** Exports that the server makes while one goes on working. They can be left, and come back to. */
export function UsageExportsDialog({ filter, total, onClose }: Props) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const exports = useQuery(usageExportsQuery(number))
  const start = useMutation({
    mutationFn: () => startExport(number, filter),
    onSuccess: () => queries.invalidateQueries({ queryKey: usageExportsQuery(number).queryKey }),
  })
  return (
    <Modal opened onClose={onClose} title="Background exports" size="lg">
      <Stack gap="md">
        {total > MAX_EXPORT && (
          <SignalStrip signal="orange" role="status">
            {TOO_MANY_TRANSACTIONS} Or export all of them in the background.
          </SignalStrip>
        )}
        <Text c="dimmed">
          The file is made on the server while you go on working. It can be downloaded here for {EXPORT_KEPT_DAYS} days.
        </Text>
        {start.error && (
          <SignalStrip signal="red" role="alert">
            {failureText(start.error)}
          </SignalStrip>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button disabled={total === 0} loading={start.isPending} onClick={() => start.mutate()}>
            Export {countText(total)} transactions
          </Button>
        </Group>
        {exports.error && <FailureNotice failure={exports.error} onRetry={() => void exports.refetch()} />}
        {exports.data && exports.data.length > 0 && (
          <ul className={classes.exports} aria-label="Your exports">
            {exports.data.map((one) => (
              <ExportLine key={one.id} customerNumber={number} one={one} />
            ))}
          </ul>
        )}
      </Stack>
    </Modal>
  )
}

function ExportLine({ customerNumber, one }: { customerNumber: string; one: UsageExport }) {
  return (
    <li className={classes.export}>
      <div className={classes.exportName}>
        <Text fw={500}>{one.fileName}</Text>
        <Text size="sm" c="dimmed">
          {aboutExport(one)}
        </Text>
      </div>
      {one.state === 'ready' && (
        <Anchor href={exportAddress(customerNumber, one)} download={one.fileName}>
          Download
        </Anchor>
      )}
      {isBeingMade(one) && (
        <Progress
          className={classes.progress}
          value={one.total ? (one.written / one.total) * 100 : 0}
          animated={one.state === 'running'}
          aria-label={`Progress of ${one.fileName}`}
        />
      )}
    </li>
  )
}

function aboutExport({ state, written, total, keptUntil, requestedAt }: UsageExport): string {
  switch (state) {
    case 'waiting':
      return 'Waiting to begin'
    case 'running':
      return `${countText(written)} of ${countText(total)} transactions written`
    case 'ready':
      return `${countText(written)} transactions, kept until ${timeText(keptUntil)}`
    case 'failed':
      return `Failed. Requested ${timeText(requestedAt)}; please start it again.`
    case 'expired':
      return `No longer kept. Requested ${timeText(requestedAt)}.`
  }
}
