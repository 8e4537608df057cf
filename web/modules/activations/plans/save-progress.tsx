import { Group, Progress, Text } from '@mantine/core'
import classes from '#web/modules/activations/license-files/license-ready.module.css'
import type { SaveProgress as Progressing } from '#web/modules/activations/plans/use-save-flow.ts'
import { Modal } from '#web/ui/overlays/modal.tsx'

type Props = {
  progress: Progressing | undefined
  /**
   * Set if the server continues by itself. Otherwise the dialog cannot be closed: an unfinished save has to be
   * continued later.
   */
  onLeave?: () => void
}

/** The step of the save that is running. */
export function SaveProgress({ progress, onLeave }: Props) {
  const { text = '', done = 0, total = 0 } = progress ?? {}
  return (
    <Modal
      opened={progress !== undefined}
      onClose={() => onLeave?.()}
      title="Saving"
      withCloseButton={onLeave !== undefined}
      size="md"
    >
      <Group gap="1rem" justify="space-between" align="normal" wrap="nowrap" role="status">
        <span>{text}</span>
        {total > 0 && (
          <span className={classes.count}>
            Step {Math.min(done + 1, total)} of {total}
          </span>
        )}
      </Group>
      {/* The text is gone while the dialog fades out. */}
      <Progress value={total > 0 ? Math.max(4, (done / total) * 100) : 4} aria-label={text || 'Saving'} mt="xs" />
      {onLeave && (
        <Text size="sm" c="dimmed" mt="0.75rem">
          You can close this window. The portal continues, and the screen shows the progress.
        </Text>
      )}
    </Modal>
  )
}
