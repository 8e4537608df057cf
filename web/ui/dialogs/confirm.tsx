import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

/**
 * Asks before something is done. The button names the act and its object ("Delete e-mail"); only questions that the
 * specification words itself are answered with Yes and No. Closing the dialog in any other way means no.
 */
export function confirm(question: ReactNode, act?: string): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Confirm',
      children: question,
      labels: act ? { confirm: act, cancel: 'Cancel' } : { confirm: 'Yes', cancel: 'No' },
      onConfirm: () => resolve(true),
      // Also called after onConfirm, when the promise is already settled.
      onClose: () => resolve(false),
    })
  })
}
