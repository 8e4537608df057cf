import type { Kysely, Transaction } from 'kysely'
import { type HostIdentity, hostIdLabel, licenseServerPath } from '#domain/activations/hosts/host.ts'
import { isSameGroup } from '#domain/activations/hosts/shared-server.ts'
import type { Config } from '#server/config.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { findStandings, type KnownAccount, listAdministrators } from '#server/modules/accounts/accounts.public.ts'
import type { HostRow, Machine } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine, toHostIdentity } from '#server/modules/activations/hosts/named-host.ts'
import {
  deleteMembers,
  listMembers,
  lockMachine,
  saveGroup,
} from '#server/modules/activations/hosts/shared-server.queries.ts'
import type { StepAuthor } from '#server/modules/activations/step-author.ts'
import { action, facts, type Mail, pageUrl, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'

/** The customers that share a machine, read after the machine was locked. */
export type LockedGroup = {
  readonly serverId: string
  readonly machine: Machine
  readonly members: readonly string[]
}

export async function lockGroup(
  tx: Transaction<DB>,
  customerNumber: string,
  { serverId, serverIdType }: Pick<HostIdentity, 'serverId' | 'serverIdType'>,
): Promise<LockedGroup> {
  const machine = readMachine(serverId, serverIdType)
  await lockMachine(tx, machine)
  return { serverId, machine, members: await listMembers(tx, customerNumber, machine) }
}

/**
 * Removes the customers that the person does not manage from the group of a host, and notifies their administrators.
 */
export async function overrideGroup(
  author: StepAuthor,
  services: Pick<Services, 'config' | 'clock'>,
  group: LockedGroup,
  { host, unmanaged }: { readonly host: HostRow; readonly unmanaged: readonly string[] },
): Promise<void> {
  await leaveGroup(author, group, unmanaged)
  for (const account of (await findStandings(author.db, author.email, unmanaged)).values())
    await mailRemoved(author.db, services, account, host)
}

/** Removes customers from the group. A group needs two members: with fewer, it is deleted. */
export async function leaveGroup(author: StepAuthor, group: LockedGroup, leaving: readonly string[]): Promise<void> {
  const left = group.members.filter((one) => !leaving.includes(one))
  if (left.length === group.members.length) return
  const after = left.length > 1 ? left : []
  const gone = group.members.filter((one) => !after.includes(one))
  await deleteMembers(author.db, gone, group.machine)
  await auditGroup(author, group, group.members, after)
}

/**
 * Replaces the group: customers that are not in the new one leave. A group needs two members: with fewer, it is
 * deleted.
 */
export async function replaceGroup(author: StepAuthor, group: LockedGroup, wanted: readonly string[]): Promise<void> {
  if (isSameGroup(group.members, wanted)) return
  const after = wanted.length > 1 ? wanted : []
  await deleteMembers(author.db, group.members, group.machine)
  if (after.length > 0) await saveGroup(author.db, after, group.machine, author)
  await auditGroup(author, group, [...group.members, ...wanted], after)
}

/** A customer that joins must not be removed from a group that it shares with somebody else. */
export async function refuseSharedElsewhere(
  db: Kysely<DB>,
  joining: readonly string[],
  wanted: readonly string[],
  machine: Machine,
): Promise<void> {
  for (const customerNumber of joining) {
    const members = await listMembers(db, customerNumber, machine)
    if (members.some((one) => !wanted.includes(one)))
      throw new BusinessRefusal(
        'SHARED_ELSEWHERE',
        `Customer ${customerNumber} shares this license server with other customers already. Take it out of that group first.`,
      )
  }
}

/** Each customer gets the audit entry on its own account. */
async function auditGroup(
  { audit }: StepAuthor,
  { serverId: target, members: before }: LockedGroup,
  accounts: readonly string[],
  after: readonly string[],
): Promise<void> {
  for (const customerNumber of new Set(accounts)) await audit({ customerNumber, target, before, after })
}

/** Notifies the administrators of a customer that it no longer shares a license server. */
async function mailRemoved(
  db: Transaction<DB>,
  services: Pick<Services, 'config' | 'clock'>,
  { standing: { customerNumber }, name }: KnownAccount,
  host: HostRow,
): Promise<void> {
  const administrators = await listAdministrators(db, customerNumber)
  if (administrators.length === 0) return
  const mail = removedMail(customerNumber, name, host, services.config)
  // No mail limit: this cannot be repeated at will, because somebody who manages that account must share the server
  // again first.
  await queueMail(db, services, { ...mail, to: administrators }, 'no limit')
}

function removedMail(customerNumber: string, name: string, host: HostRow, { brand, origin }: Config): Omit<Mail, 'to'> {
  const title = `${name} no longer shares a license server`
  const page = pageUrl(origin, licenseServerPath(host.host_id), customerNumber)
  return {
    customerNumber,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph(
          'Another customer of this license server generates its license file without your licenses from now on. Your activations stay as they are.',
        ),
        facts(
          ['License server', hostIdLabel(toHostIdentity(host)), page],
          ['Account', `${customerNumber} (${name})`],
          ['Changed by customer', host.customer_number],
        ),
        paragraph('To use your licenses on this license server, generate a license file of your own.'),
        action('Open license server', page),
      ],
    },
  }
}
