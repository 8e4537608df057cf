import { Modal, Progress } from '@mantine/core'
import type { SaveProgress as Progressing } from '#web/modules/activations/use-save-flow.ts'
import classes from './license-ready.module.css'

/** The step of the save that is running. It cannot be closed: a save that is left half-way has to be continued later. */
export function SaveProgress({ progress }: { progress: Progressing | undefined }) {
  const { text = '', done = 0, total = 0 } = progress ?? {}
  return (
    <Modal opened={progress !== undefined} onClose={() => {}} title="Saving" withCloseButton={false} size="md">
      <div className={classes.progress} role="status">
        <span>{text}</span>
        {total > 0 && (
          <span className={classes.count}>
            Step {Math.min(done + 1, total)} of {total}
          </span>
        )}
      </div>
      <Progress value={total > 0 ? Math.max(4, (done / total) * 100) : 4} aria-label={text} mt="xs" />
    </Modal>
  )
}
