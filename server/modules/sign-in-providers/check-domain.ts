import type { Transaction } from 'kysely'
import {
  afterCheck,
  CHECK_EVERY,
  type CheckOutcome,
  isInForce,
  isProof,
  recordName,
  WARN_AFTER,
} from '#domain/sign-in-providers/domain-proof.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import type { FindTexts } from '#server/doors/txt-records.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { findProvenDomain } from '#server/identity/proven-domains.queries.ts'
import { followProvider, stateOf } from '#server/modules/sign-in-providers/proven-domains.ts'
import { mailAboutDomain } from '#server/modules/sign-in-providers/provider-mails.ts'
import {
  type DomainRow,
  findDomain,
  listDueDomains,
  lockProvider,
  updateDomain,
} from '#server/modules/sign-in-providers/providers.queries.ts'
import type { Services } from '#server/services.ts'
import { tryEach } from '#server/tasks/try-each.ts'

export type Found = { readonly row: DomainRow; readonly outcome: CheckOutcome }

export async function lookUpProof(findTexts: FindTexts, row: DomainRow): Promise<Found> {
  const texts = await findTexts(recordName(row.domain))
  const outcome = texts === undefined ? 'unanswered' : isProof(texts, row.token) ? 'found' : 'missing'
  return { row, outcome }
}

/**
 * Stores what a check has found, and returns the domain as it is then; undefined if it was removed meanwhile. A domain that another account
 * has proven stays with that account, unless its own record has been missing for some checks: then whoever controls the domain now has
 * proven it.
 */
export async function saveCheck(
  tx: Transaction<DB>,
  services: Pick<Services, 'clock' | 'config'>,
  { row: { customer_number, domain, token }, outcome }: Found,
  now: Date,
): Promise<DomainRow | undefined> {
  await lockProvider(tx, customer_number)
  const before = await findDomain(tx, customer_number, domain)
  // Added again, it has another token.
  if (before?.token !== token) return undefined
  const { provenAt, failures, failingSince } = afterCheck(
    {
      provenAt: before.proven_at,
      failures: before.failures,
      failingSince: before.failing_since,
      outcome: before.outcome,
    },
    outcome,
    now,
  )
  const change = { proven_at: provenAt, failures, failing_since: failingSince, outcome, checked_at: now }
  const after = { ...before, ...change }
  await updateDomain(tx, before, change)
  if (stateAtLastCheck(before) !== stateOf(after, now)) {
    const taken = await followProvider(tx, customer_number, now)
    if (taken.includes(domain)) {
      await takeOver(tx, services, domain, now)
      await followProvider(tx, customer_number, now)
    }
  }
  return after
}

/** Time alone changes a state: what sign-ins follow is the state of the last check. */
const stateAtLastCheck = (row: DomainRow) => stateOf(row, row.checked_at ?? row.added_at)

async function takeOver(tx: Transaction<DB>, services: Pick<Services, 'clock' | 'config'>, domain: string, now: Date) {
  const holder = await findProvenDomain(tx, domain)
  const row = holder && (await findDomain(tx, holder.customer_number, domain))
  if (!row || row.failures < WARN_AFTER)
    throw new BusinessRefusal('DOMAIN_TAKEN', 'Another account has proven this domain. Ask the vendor if it is yours.')
  await lockProvider(tx, row.customer_number)
  await updateDomain(tx, row, { proven_at: null, failures: 0, failing_since: null })
  await followProvider(tx, row.customer_number, now)
  await writeAudit(tx, contextOfPortal(now), {
    action: 'sign-in-provider.domain',
    customerNumber: row.customer_number,
    target: domain,
    after: { state: 'taken over' },
  })
  await mailAboutDomain(tx, services, row, 'taken over')
}

/** Reads the records of proven domains again, each once a day. */
export async function checkDomains(
  services: Pick<Services, 'clock' | 'config' | 'db' | 'findTexts'>,
  signal?: AbortSignal,
): Promise<void> {
  const { clock, db, findTexts } = services
  const due = await listDueDomains(db, new Date(clock.now().getTime() - CHECK_EVERY))
  const options = {
    accountOf: (row: DomainRow) => row.customer_number,
    complaint: 'domains could not be checked',
    signal,
  }
  await tryEach(due, options, async (row) => {
    const found = await lookUpProof(findTexts, row)
    const now = clock.now()
    const work = async (tx: Transaction<DB>) => {
      const after = await saveCheck(tx, services, found, now)
      if (!after) return
      const state = stateOf(after, now)
      const isWarned = found.outcome !== 'found' && after.failures === WARN_AFTER
      const before = stateAtLastCheck(row)
      const hasLapsed = state === 'lapsed' && before !== 'lapsed'
      if (isWarned || hasLapsed) await mailAboutDomain(tx, services, after, hasLapsed ? 'lapsed' : 'failing')
      if (isWarned || isInForce(before) !== isInForce(state))
        await writeAudit(tx, contextOfPortal(now), {
          action: 'sign-in-provider.domain',
          customerNumber: after.customer_number,
          target: after.domain,
          after: { state, outcome: after.outcome, failures: after.failures },
        })
    }
    await db
      .transaction()
      .execute(work)
      .catch(async (error: unknown) => {
        if (!(error instanceof BusinessRefusal)) throw error
        // It had lapsed, and another account has proven it meanwhile.
        const gone = { proven_at: null, failures: 0, failing_since: null, checked_at: now }
        await db.transaction().execute((tx) => updateDomain(tx, row, gone))
      })
  })
}
