import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Upkeep } from '#contract/upkeep/upkeep.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { countOf, timeText } from '#web/lib/format.ts'
import { AccountLink } from '#web/modules/upkeep/account-link.tsx'
import { type FailedMessage, upkeepQuery } from '#web/modules/upkeep/upkeep.api.ts'
import { FINE, Note, NotRead, UpkeepCard } from '#web/modules/upkeep/upkeep-card.tsx'
import { type Column, UpkeepTable } from '#web/modules/upkeep/upkeep-table.tsx'

/** What a message is called, by its lane in the outbox. */
const NOUNS: Readonly<Record<string, string>> = { mail: 'email' }
const nounOf = (lane: string) => NOUNS[lane] ?? lane

export function MessagesCard({ messages, mayResend }: { messages: Upkeep['messages']; mayResend: boolean }) {
  const queries = useQueryClient()
  const sending = useSave({
    send: (message: FailedMessage, key) => call('outbox/resend', { params: { id: message.id }, idempotencyKey: key }),
    success: 'The message is sent again.',
    notDone: 'Nothing was sent.',
    onSaved: () => queries.invalidateQueries(upkeepQuery),
  })
  const failed = messages?.lanes.reduce((sum, lane) => sum + lane.failed, 0) ?? 0
  return (
    <UpkeepCard
      title="Messages"
      isWide
      state={messages ? (failed > 0 ? { signal: 'orange', text: `${failed} failed` } : FINE) : undefined}
    >
      {!messages && <NotRead />}
      {messages && <Note>{waitingText(messages.lanes)}</Note>}
      {messages && failed === 0 && <Note>Every message was delivered.</Note>}
      {messages && failed > 0 && (
        <>
          <Note>
            These could not be delivered. Correct the cause, such as a wrong address, and send them again.
            {failed > messages.failed.length && ` The newest ${messages.failed.length} of ${failed} are shown.`}
          </Note>
          <UpkeepTable
            label="Messages that could not be delivered"
            rows={messages.failed}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            {...(mayResend && {
              act: (message: FailedMessage) => (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Send again: ${nounOf(message.lane)} of ${timeText(message.queuedAt)}`}
                  disabled={sending.isSaving}
                  onClick={() => sending.save(message)}
                >
                  Send again
                </Button>
              ),
            })}
          />
        </>
      )}
    </UpkeepCard>
  )
}

function waitingText(lanes: NonNullable<Upkeep['messages']>['lanes']): string {
  const waiting = lanes.filter(({ queued }) => queued > 0).map(({ lane, queued }) => countOf(queued, nounOf(lane)))
  return waiting.length > 0 ? `Waiting to be sent: ${waiting.join(', ')}.` : 'No message is waiting to be sent.'
}

const COLUMNS: readonly Column<FailedMessage>[] = [
  { label: 'Written', isTime: true, cell: ({ queuedAt }) => timeText(queuedAt) },
  { label: 'Kind', cell: ({ lane }) => nounOf(lane) },
  {
    label: 'Account',
    cell: ({ customerNumber, lane }) =>
      customerNumber && (
        <AccountLink to={lane === 'webhook' ? '/webhooks' : '/emails'} number={customerNumber} name={customerNumber} />
      ),
  },
  { label: 'Attempts', isFigure: true, cell: ({ attempts }) => attempts },
  { label: 'What went wrong', cell: ({ trouble }) => trouble },
]
