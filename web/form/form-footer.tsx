import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useFormFrame } from '#web/form/form-context.ts'
import { SaveButton } from '#web/form/save-button.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './form.module.css'

type Props = {
  /** The label of the save button. It names the action. */
  save?: string
  /** What saving will do: "1 added, 1 removed". */
  summary?: ReactNode
  /** In a dialog: closes it. */
  onClose?(): void
}

/** Cancel discards all changes, or closes the dialog. On a page both appear when something has changed. */
export function FormFooter({ save = 'Save', summary, onClose }: Props) {
  const { form } = useFormFrame()
  const isIdle = !onClose && form.obstacle !== undefined && !form.isChanged
  const [wasShown, setWasShown] = useState(false)
  if (!isIdle && !wasShown) setWasShown(true)
  return (
    <div className={classes.footer} data-idle={isIdle ? (wasShown ? 'again' : 'yet') : undefined}>
      {form.failure && (
        <div className={classes.failure}>
          <SignalStrip signal="red" role="alert" onClose={form.dismissFailure}>
            {form.failure}
          </SignalStrip>
        </div>
      )}
      <Group justify="flex-end" gap="xs">
        <span className={classes.summary} role="status">
          {summary}
        </span>
        <Button
          variant="default"
          disabled={!onClose && (!form.isChanged || form.isSaving)}
          onClick={onClose ? () => form.leave(onClose) : form.cancel}
        >
          Cancel
        </Button>
        <SaveButton isSaving={form.isSaving} reason={form.obstacle} onClick={form.submit} onRefused={form.submit}>
          {save}
        </SaveButton>
      </Group>
    </div>
  )
}
