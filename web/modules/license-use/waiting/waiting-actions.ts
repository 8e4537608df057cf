import { IconArrowBarToDown, IconArrowBarToUp, IconDoorExit, IconLineDashed, IconMail } from '@tabler/icons-react'
import type { WaitingRow } from '#contract/license-use/waiting/waiting.ts'
import type { Priority } from '#domain/license-use/waiting/waiting-line.ts'
import { seatsText } from '#domain/license-use/waiting/waiting-rules.ts'
import type { ActionScreen, CallOn } from '#web/lib/action.ts'
import { call } from '#web/lib/api/api-client.ts'
import { WAITING_KEY } from '#web/parts/waiting/seat-notices.ts'

async function reload({ queries }: ActionScreen): Promise<void> {
  await Promise.all([[WAITING_KEY], ['home']].map((queryKey) => queries.invalidateQueries({ queryKey })))
}

const leaving = {
  icon: IconDoorExit,
  send: ({ id }: WaitingRow, customerNumber: string, idempotencyKey: string) =>
    call('license-use/waiting/leave', { body: { customerNumber, id }, idempotencyKey }),
  notDone: 'Nobody has left the line.',
  onSaved: reload,
} as const

export const LEAVE: CallOn<WaitingRow> = {
  ...leaving,
  button: 'Leave the line',
  right: 'activations.read',
  applies: ({ isOwn }) => isOwn,
  confirm: {
    act: 'Leave',
    question: ({ seats, feature }) =>
      `Leave the line for ${seatsText(seats, feature)}? Your place goes to the next person.`,
  },
  success: ({ feature }) => `You have left the line for ${feature}.`,
}

const TAKE_OUT: CallOn<WaitingRow> = {
  ...leaving,
  button: 'Take out of the line',
  right: 'activations.write',
  applies: ({ isOwn }) => !isOwn,
  confirm: { act: 'Take out', question: ({ user, feature }) => `Take ${user} out of the line for ${feature}?` },
  success: ({ user }) => `${user} is no longer in line.`,
}

const LABELS: Readonly<Record<Priority, string>> = {
  high: 'Let go before others',
  normal: 'First come, first served',
  low: 'Let wait behind others',
}
const ICONS = { high: IconArrowBarToUp, normal: IconLineDashed, low: IconArrowBarToDown } as const

const prioritize = (priority: Priority): CallOn<WaitingRow> => ({
  button: LABELS[priority],
  icon: ICONS[priority],
  right: 'activations.write',
  applies: (row) => row.priority !== priority,
  send: ({ id }, customerNumber, idempotencyKey) =>
    call('license-use/waiting/priority', { body: { customerNumber, id, priority }, idempotencyKey }),
  success: ({ user }) => `The place of ${user} has changed.`,
  notDone: 'The place was not changed.',
  onSaved: reload,
})

export const PLACE_ACTIONS: readonly CallOn<WaitingRow>[] = [
  prioritize('high'),
  prioritize('normal'),
  prioritize('low'),
  LEAVE,
  TAKE_OUT,
]

export type AskedHolder = {
  readonly serverId: string
  readonly feature: string
  readonly user: string
  /** Why nobody can ask for this seat yet. */
  readonly problem: string | undefined
}

export const ASK_HOLDER: CallOn<AskedHolder> = {
  button: 'Ask',
  icon: IconMail,
  right: 'license-use.wait',
  reason: ({ problem }) => problem,
  confirm: {
    act: 'Send email',
    question: ({ user, feature }) =>
      `Ask ${user} for the seat of ${feature}? The portal sends an email that names you. Everybody gets at most one a day.`,
  },
  send: ({ serverId, feature, user }, customerNumber, idempotencyKey) =>
    call('license-use/waiting/ask', {
      body: { customerNumber, serverId, feature, userName: user },
      idempotencyKey,
    }),
  success: ({ user }) => `${user} gets an email.`,
  notDone: 'No email was sent.',
  onSaved: () => undefined,
}
