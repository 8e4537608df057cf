import type { QueryClient } from '@tanstack/react-query'
import { readKept, writeKept } from '#web/lib/kept/kept.ts'
import { showPanel } from '#web/ui/panels.ts'

/** What the stream of notifications says when a seat is free for this person. */
export type SeatOffer = {
  readonly customerNumber: string
  readonly feature: string
  readonly seats: number
  readonly serverName: string
  readonly endsAt: string
}

const nameOf = (email: string) => `seatNotices:${email}`

/** Whether this browser can show notifications; false: the person has forbidden them. */
export const canNotify = () => 'Notification' in window && Notification.permission !== 'denied'

/** Remembers until when a person waits. A tab in the background listens for as long, if the person allows notifications. */
export async function listenForSeat(email: string, until: Date): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  const before = Number(readKept(nameOf(email)))
  writeKept(nameOf(email), String(Math.max(before, until.getTime())))
}

export function isListening(email: string): boolean {
  return canNotify() && Notification.permission === 'granted' && Number(readKept(nameOf(email))) > Date.now()
}

/** 10:35 */
const clockText = (instant: string): string =>
  new Date(instant).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

export function offerText({ feature, seats, serverName, endsAt }: Omit<SeatOffer, 'customerNumber'>): string {
  const what = seats === 1 ? `A seat of ${feature} is` : `${seats} seats of ${feature} are`
  return `${what} free for you on ${serverName.replaceAll(',', ', ')} until ${clockText(endsAt)}.`
}

/** Shows a free seat at once: over the screen, and while the tab is in the background as a notification of the browser. */
export function showOffer(queries: QueryClient, offer: SeatOffer): void {
  const text = offerText(offer)
  showPanel('warning', text)
  void queries.invalidateQueries({ queryKey: ['home'] })
  void queries.invalidateQueries({ queryKey: [WAITING_KEY] })
  if (!document.hidden || !canNotify() || Notification.permission !== 'granted') return
  const { customerNumber, feature } = offer
  // Tabs that listen replace each other's notification.
  const notification = new Notification(text, { tag: `seat ${customerNumber} ${feature}` })
  notification.onclick = () => {
    window.focus()
    notification.close()
  }
}

export const WAITING_KEY = 'license-waiting'
