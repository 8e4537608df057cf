import { IconSend, IconTrash } from '@tabler/icons-react'
import type { Email } from '#contract/messages/emails.ts'
import type { CallOn } from '#web/lib/action.ts'
import { call } from '#web/lib/api/api-client.ts'
import { hasCode } from '#web/lib/api/api-error.ts'
import { emailQuery, emailSource } from '#web/modules/messages/emails.api.ts'

export const RESEND: CallOn<Email, Email> = {
  button: 'Send again',
  icon: IconSend,
  right: 'emails.resend',
  isHiddenWithoutRight: true,
  applies: ({ delivery }) => delivery === 'failed',
  confirm: {
    act: 'Send email again',
    question: ({ subject, to }) => `Do you want to send the email “${subject}” to ${to} again?`,
  },
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('emails/resend', { params: { id }, body: { customerNumber }, idempotencyKey }),
  success: ({ subject }) => `The email “${subject}” will be sent again.`,
  notDone: 'The email was not sent again.',
  onSaved({ queries, customerNumber }, queued, { id }) {
    queries.setQueryData(emailQuery(customerNumber, id).queryKey, queued)
    void queries.invalidateQueries({ queryKey: emailSource(customerNumber).key })
  },
  onFailed({ queries, customerNumber }, error, { id }) {
    // Somebody else has sent it in the meantime. Reload to show its state.
    if (hasCode(error, 'EMAIL_NOT_FAILED'))
      void queries.invalidateQueries({ queryKey: emailQuery(customerNumber, id).queryKey })
  },
}

export const DELETE: CallOn<Email> = {
  button: 'Delete',
  icon: IconTrash,
  right: 'emails.delete',
  confirm: { act: 'Delete email', question: ({ subject }) => `Do you want to delete the email “${subject}”?` },
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('emails/delete', { params: { id }, query: { customerNumber }, idempotencyKey }),
  success: ({ subject }) => `The email “${subject}” has been deleted.`,
  notDone: 'Nothing was deleted.',
  async onSaved({ queries, customerNumber, goTo }, _, { id }) {
    queries.removeQueries({ queryKey: emailSource(customerNumber).key })
    await goTo('/emails')
    queries.removeQueries({ queryKey: emailQuery(customerNumber, id).queryKey })
  },
}
