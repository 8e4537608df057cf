import type { AccountHome } from '#contract/home/account-home.ts'
import {
  deniedBetween,
  maintenanceEnded,
  openAlerts,
  outOfDateHosts,
  runningCheckouts,
  runningSessions,
  undeliveredEmails,
  webDeniedBetween,
} from '#web/app/home/home-links.ts'

/** A number on Home, and the screen that shows its rows. */
export type AttentionItem = {
  screen: string
  /** The label for a count of one, where it differs. */
  labelOfOne?: string
  label: string
  count: number
  to: string
  /** Information that needs no action: it does not count as a problem. */
  isNews?: true
  signal: 'red' | 'orange' | 'blue'
}

/** The numbers that this person may see, in a fixed order. */
export function attentionItems(home: AccountHome, screens: ReadonlySet<string>): AttentionItem[] {
  const { denials, webDenials } = home
  const all: (Omit<AttentionItem, 'count'> & { count: number | null })[] = [
    {
      screen: 'transactions',
      label: 'Sessions running now',
      labelOfOne: 'Session running now',
      count: home.runningSessions,
      to: runningSessions(),
      isNews: true,
      signal: 'blue',
    },
    {
      screen: 'elastic-denials',
      label: 'Denied session starts in 7 days',
      labelOfOne: 'Denied session start in 7 days',
      count: denials?.count ?? null,
      to: deniedBetween(denials?.from ?? '', home.today),
      signal: 'orange',
    },
    {
      screen: 'web-transactions',
      label: 'Web checkouts running now',
      labelOfOne: 'Web checkout running now',
      count: home.runningCheckouts,
      to: runningCheckouts(),
      isNews: true,
      signal: 'blue',
    },
    {
      screen: 'web-reporting',
      label: 'Denied web checkouts in 7 days',
      labelOfOne: 'Denied web checkout in 7 days',
      count: webDenials?.count ?? null,
      to: webDeniedBetween(webDenials?.from ?? '', home.today),
      signal: 'orange',
    },
    {
      screen: 'activations-history',
      label: 'License files out of date',
      labelOfOne: 'License file out of date',
      count: home.outOfDateHosts,
      to: outOfDateHosts(),
      signal: 'orange',
    },
    {
      screen: 'ssl',
      label: 'Maintenance ended',
      count: home.maintenanceEnded,
      to: maintenanceEnded(),
      signal: 'orange',
    },
    {
      screen: 'emails',
      label: 'Undelivered emails',
      labelOfOne: 'Undelivered email',
      count: home.undeliveredEmails,
      to: undeliveredEmails(),
      signal: 'red',
    },
    {
      screen: 'notifications',
      label: 'Open alerts',
      labelOfOne: 'Open alert',
      count: home.openAlerts,
      to: openAlerts(),
      signal: 'orange',
    },
  ]
  return all.flatMap(({ count, ...item }) => (count === null || !screens.has(item.screen) ? [] : [{ ...item, count }]))
}
