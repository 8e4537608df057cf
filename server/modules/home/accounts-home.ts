import type { Kysely } from 'kysely'
import { type AccountsHome, MAX_ACCOUNTS } from '#contract/home/accounts-home.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { ENDING_KINDS, ENDING_STEPS } from '#domain/home/ending.ts'
import { DENIAL_DAYS } from '#domain/home/work-list.ts'
import type { DB } from '#server/db/schema.ts'
import type { AccountsInNeed } from '#server/modules/accounts/accounts.public.ts'
import { listAccountsOverdrawn, listAccountsWithDenials } from '#server/modules/elastic/elastic.public.ts'
import { listAccountsWithEnding } from '#server/modules/entitlements/entitlements.public.ts'
import { listAccountsWithEndingContracts } from '#server/modules/fsa/fsa.public.ts'
import { listAccountsWithWebDenials } from '#server/modules/web-licenses/web-licenses.public.ts'

/** The accounts that need attention, for staff. Read one after the other, so that it takes one connection. */
export async function loadAccountsHome(db: Kysely<DB>, now: Date): Promise<AccountsHome> {
  const limit = MAX_ACCOUNTS
  const denials = { now, days: DENIAL_DAYS, limit }
  const soon = { now, days: ENDING_STEPS[0], limit }
  return {
    denied: onDenialDays(await listAccountsWithDenials(db, denials)),
    webDenied: onDenialDays(await listAccountsWithWebDenials(db, denials)),
    overdrawn: counted(await listAccountsOverdrawn(db, { now, limit })),
    ending: {
      leases: counted(await listAccountsWithEnding(db, ENDING_KINDS.leases, soon)),
      webLicenses: counted(await listAccountsWithEnding(db, ENDING_KINDS.webLicenses, soon)),
      elastic: counted(await listAccountsWithEnding(db, ENDING_KINDS.elastic, soon)),
      contracts: counted(await listAccountsWithEndingContracts(db, soon)),
    },
  }
}

function counted({ total, accounts }: AccountsInNeed) {
  return { total, accounts: accounts.map(({ today: _, ...account }) => account) }
}

function onDenialDays({ total, accounts }: AccountsInNeed) {
  return {
    total,
    accounts: accounts.map(({ today, ...account }) => ({
      ...account,
      from: addDays(today, 1 - DENIAL_DAYS),
      to: today,
    })),
  }
}
