import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { USAGE_EXPORT } from '#contract/elastic/usage-exports.ts'
import type { Task } from '#contract/tasks/tasks.ts'
import { EXPORT_KEPT_DAYS, MAX_EXPORT, TOO_MANY_TRANSACTIONS } from '#domain/elastic/usage-export.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { UsageExportLine } from '#web/modules/elastic/usage-export-line.tsx'
import { startExport } from '#web/modules/elastic/usage-exports.api.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { isUnfinished, removeTask, tasksQuery } from '#web/ui/tasks/tasks.api.ts'
import classes from './usage.module.css'

type Props = { filter: FilterInput; total: number; onClose(): void }

/** Exports that the server makes while one goes on working. They can be left, and come back to. */
export function UsageExportsDialog({ filter, total, onClose }: Props) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const exports = useQuery(tasksQuery(number, USAGE_EXPORT))
  const list = useRef<HTMLDivElement>(null)
  const reload = () => queries.invalidateQueries({ queryKey: tasksQuery(number, USAGE_EXPORT).queryKey })
  const remove = useMutation({
    mutationFn: (one: Task) => removeTask(number, one),
    onSuccess: async (_, { id }) => {
      if (start.data?.data.id === id) start.reset()
      await reload()
      // The button that was pressed is gone.
      list.current?.focus()
    },
  })
  const start = useMutation({
    mutationFn: () => startExport(number, filter),
    onMutate: () => remove.reset(),
    onSuccess: reload,
  })
  const failure = start.error ?? remove.error
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
        {failure && (
          <SignalStrip signal="red" role="alert">
            {failureText(failure)}
          </SignalStrip>
        )}
        {start.data?.reused && (
          <SignalStrip signal="blue" role="status">
            {reuseText(start.data.data)}
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
        <div ref={list} tabIndex={-1}>
          {exports.data && exports.data.length > 0 && (
            <ul className={classes.exports} aria-label="Your exports">
              {exports.data.map((one) => (
                <UsageExportLine
                  key={one.id}
                  customerNumber={number}
                  one={one}
                  isAnswer={one.id === start.data?.data.id}
                  onDelete={() => remove.mutate(one)}
                />
              ))}
            </ul>
          )}
        </div>
      </Stack>
    </Modal>
  )
}

function reuseText(existing: Task): string {
  if (isUnfinished(existing)) return 'You have requested this export already. It is still being made.'
  return 'You have this export already, and no usage has been received since. You can download it below.'
}
