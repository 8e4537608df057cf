import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

/** Asks before something is done; closing the dialog in any other way than Yes means no. */
export function confirm(question: ReactNode): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Confirm',
      children: question,
      labels: { confirm: 'Yes', cancel: 'No' },
      onConfirm: () => resolve(true),
      // Also called after onConfirm, when the promise is already settled.
      onClose: () => resolve(false),
    })
  })
}
