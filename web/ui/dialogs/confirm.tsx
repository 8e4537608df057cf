import type { ModalProps } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import classes from './confirm.module.css'

type Look = { title?: string; size?: ModalProps['size'] }

/**
 * Asks before something is done. The button names the act and its object ("Delete email"); only questions that the
 * specification words itself are answered with Yes and No. Closing the dialog in any other way means no. The question may
 * be as long as it needs to be, with tabs and tables: it scrolls, and the buttons stay in sight.
 */
export function confirm(question: ReactNode, act?: string, { title = 'Confirm', size }: Look = {}): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      ...(size === undefined ? {} : { size }),
      children: <div className={classes.question}>{question}</div>,
      labels: act ? { confirm: act, cancel: 'Cancel' } : { confirm: 'Yes', cancel: 'No' },
      onConfirm: () => resolve(true),
      // Also called after onConfirm, when the promise is already settled.
      onClose: () => resolve(false),
    })
  })
}
