import type { ModalProps } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import classes from './confirm.module.css'

type Look = { title?: string; size?: ModalProps['size'] }

/**
 * Asks for confirmation. The button names the action and its object ("Delete email"); questions without an action get Yes
 * and No. Closing the dialog means no. A long question, also with tabs and tables, scrolls while the buttons stay visible.
 */
export function confirm(question: ReactNode, act?: string, { title = 'Confirm', size }: Look = {}): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      ...(size === undefined ? {} : { size }),
      children: <div className={classes.question}>{question}</div>,
      labels: act ? { confirm: act, cancel: 'Cancel' } : { confirm: 'Yes', cancel: 'No' },
      // Enter confirms, Escape cancels.
      confirmProps: { 'data-autofocus': true },
      onConfirm: () => resolve(true),
      // Also called after onConfirm, when the promise is already settled.
      onClose: () => resolve(false),
    })
  })
}
