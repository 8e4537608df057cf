import { ActionIcon, Anchor, Progress, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Task } from '#contract/tasks/tasks.ts'
import { countText, sizeText, timeText } from '#web/lib/format.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { isUnfinished, taskFileAddress } from '#web/ui/tasks/tasks.api.ts'
import classes from './usage.module.css'

type Props = {
  customerNumber: string
  one: Task
  /** The answer to the last request. */
  isAnswer: boolean
  onDelete(): void
}

export function UsageExportLine({ customerNumber, one, isAnswer, onDelete }: Props) {
  const askToDelete = async () => {
    if (await confirm(`Do you want to delete the export “${one.fileName}”? ${consequence(one)}`, 'Delete export'))
      onDelete()
  }
  return (
    <li className={classes.export} data-answer={isAnswer || undefined}>
      <div className={classes.exportName}>
        <Text fw={500}>{one.fileName}</Text>
        <Text size="sm" className={classes.about} data-failed={one.state === 'failed' || undefined}>
          {aboutExport(one)}
        </Text>
      </div>
      {one.state === 'ready' && (
        <Anchor href={taskFileAddress(customerNumber, one)} download={one.fileName}>
          Download
        </Anchor>
      )}
      <Tooltip label="Delete">
        <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${one.fileName}`} onClick={askToDelete}>
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
      {isUnfinished(one) && (
        <Progress
          className={classes.progress}
          value={one.total ? (one.done / one.total) * 100 : 0}
          animated={one.state === 'running'}
          aria-label={`Progress of ${one.fileName}`}
        />
      )}
    </li>
  )
}

function consequence(one: Task): string {
  if (isUnfinished(one)) return 'It is still being made and will be stopped.'
  return one.state === 'ready' ? 'The file can no longer be downloaded after that.' : 'There is no file of it.'
}

function aboutExport({ state, done, total, bytes, keptUntil, requestedAt, failure }: Task): string {
  const requested = `Requested ${timeText(requestedAt)}.`
  switch (state) {
    case 'waiting':
      return `Waiting to begin. ${requested}`
    case 'running':
      if (total === null) return `Counting transactions. ${requested}`
      return `${countText(done)} of ${countText(total)} transactions written. ${requested}`
    case 'ready':
      return `${countText(done)} transactions, ${sizeText(bytes)}, kept until ${timeText(keptUntil)}. ${requested}`
    case 'failed':
      return `Failed: ${failure} ${requested}`
    case 'expired':
      return `No longer kept. ${requested}`
  }
}
