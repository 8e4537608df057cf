import { Button, Group, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { openDialog } from '#web/ui/dialogs/open-dialog.tsx'
import classes from './confirm.module.css'

type Look = { title?: string; size?: ModalProps['size'] }

/**
 * Asks for confirmation. The button names the action and its object ("Delete email"); questions without an action get Yes
 * and No. Closing the dialog means no. A long question, also with tabs and tables, scrolls while the buttons stay visible.
 */
export function confirm(question: ReactNode, act?: string, { title = 'Confirm', size }: Look = {}): Promise<boolean> {
  return new Promise((resolve) => {
    openDialog(
      { title, ...(size === undefined ? {} : { size }) },
      (close) => (
        <>
          <div className={classes.question}>{question}</div>
          <Group mt="md" justify="flex-end">
            <Button variant="default" onClick={close}>
              {act ? 'Cancel' : 'No'}
            </Button>
            <Button
              // Enter confirms, Escape cancels.
              data-autofocus
              onClick={() => {
                resolve(true)
                close()
              }}
            >
              {act ?? 'Yes'}
            </Button>
          </Group>
        </>
      ),
      // Also called after a yes, when the promise is already settled.
      () => resolve(false),
    )
  })
}
