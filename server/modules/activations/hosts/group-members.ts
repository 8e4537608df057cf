import type { Kysely } from 'kysely'
import type { serverCustomers } from '#contract/activations/hosts/shared-server.ts'
import type { DataOf } from '#contract/kit/operation.ts'
import { can, isExportApproved } from '#domain/access/can.ts'
import type { Actor } from '#domain/access/standing.ts'
import type { DB } from '#server/db/schema.ts'
import { findStandings, type KnownAccount } from '#server/modules/accounts/accounts.public.ts'
import type { Machine } from '#server/modules/activations/hosts/hosts.queries.ts'
import { listMembers } from '#server/modules/activations/hosts/shared-server.queries.ts'

/** A customer that shares a license server, as one person sees it. */
export type Member = {
  readonly customerNumber: string
  /** May change its activations, but for export compliance. */
  readonly isManaged: boolean
  readonly isSeen: boolean
  /** May read its activations. */
  readonly isReadable: boolean
  readonly isApproved: boolean
  readonly account: KnownAccount
}

export async function loadGroup(
  db: Kysely<DB>,
  actor: Actor,
  customerNumber: string,
  machine: Machine,
): Promise<Member[]> {
  return toMembers(db, actor, await listMembers(db, customerNumber, machine))
}

export async function toMembers(db: Kysely<DB>, actor: Actor, customerNumbers: readonly string[]): Promise<Member[]> {
  if (customerNumbers.length === 0) return []
  const accounts = await findStandings(db, actor.email, customerNumbers)
  return customerNumbers.flatMap((customerNumber) => {
    const account = accounts.get(customerNumber)
    return account ? toMember(actor, account) : []
  })
}

function toMember(actor: Actor, account: KnownAccount): Member {
  const { standing } = account
  const isApproved = isExportApproved(standing.exportControlStatus)
  return {
    customerNumber: standing.customerNumber,
    isManaged: can(actor, 'activations.write', { ...standing, exportControlStatus: '' }).allowed,
    isSeen: can(actor, 'account.info', standing).allowed,
    isReadable: can(actor, 'activations.read', standing).allowed,
    isApproved,
    account,
  }
}

export function toWireMember(member: Member): DataOf<typeof serverCustomers>[number] {
  const { customerNumber, isManaged, isSeen, isApproved, account } = member
  return {
    customerNumber,
    customerName: isSeen ? account.name : null,
    isManaged,
    isApproved: isSeen ? isApproved : null,
  }
}
