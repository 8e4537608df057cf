import { type Actor, isStaff } from '#domain/access/standing.ts'

export type DeliveryState = 'queued' | 'sent' | 'mailbox' | 'failed'

export const NOT_DELIVERED_YET = 'This email could not be delivered yet.'
export const NOT_DELIVERED_TO_ALL = 'This email could not be delivered to every recipient.'

/** Answers of mail servers reveal internals and other people's addresses, so only staff see them. */
export function deliveryTrouble(who: Actor, { state, trouble }: { state: DeliveryState; trouble: string }): string {
  if (trouble === '' || isStaff(who)) return trouble
  return state === 'sent' || state === 'mailbox' ? NOT_DELIVERED_TO_ALL : NOT_DELIVERED_YET
}
