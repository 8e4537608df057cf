import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Server } from '#contract/activations/hosts/servers.ts'
import { isExportApproved } from '#domain/access/can.ts'
import type { Host, HostIdentity } from '#domain/activations/hosts/host.ts'
import { ACTIVATION_ERRORS, fetchServerError } from '#domain/activations/seats/activation-error.ts'
import { type AvailableRow, assignedRows, availableRows } from '#domain/activations/seats/activation-lists.ts'
import type { CustomerActivations } from '#domain/activations/seats/activation-selection.ts'
import { ask, call, type Data } from '#web/lib/api/api-client.ts'
import { isTemporary } from '#web/lib/api/api-error.ts'
import { query } from '#web/lib/api/api-query.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { ActivationError } from '#web/modules/activations/seats/activation-error.ts'

/** A license server, as the drop-down offers it. */
export type ServerHost = Host & {
  readonly portNumber: number
  readonly isBorrowable: boolean
  readonly isShared: boolean
  readonly isOutOfDate: boolean
  readonly generatedAt: string | null
  readonly generatedBy: string | null
  /** The host exists only in this browser, until something is activated on it. */
  readonly isNew: boolean
}

export type Account = { readonly number: string; readonly name: string }
export type Member = Data<'fulfillments/customers'>[number]

/** The seats of one customer on a host and what can be added, before any edits. */
export type CustomerTab = {
  readonly isApproved: boolean
  readonly activations: CustomerActivations
  /** Of these rows, for a save that is made from them. */
  readonly basis: string | undefined
}

const KEY = 'activations'

/** No refetch in the background: edits belong to the rows on screen. */
const noBackgroundRefetch = { staleTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false }

const retryUpTo = (times: number) => ({
  retry: (failures: number, error: Error) => failures < times && canRetry(error),
  retryDelay: (failures: number) => (failures + 1) * 100,
})

function canRetry(error: Error): boolean {
  return error instanceof ActivationError ? !error.isRetried && isTemporary(error.cause) : isTemporary(error)
}

async function withErrorText<T>(answer: Promise<T>, text: string, options?: { isRetried: boolean }): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new ActivationError(text, error, options)
  }
}

export function serversQuery(customerNumber: string) {
  return queryOptions({
    queryKey: [KEY, customerNumber, 'servers'],
    queryFn: async ({ signal }) => {
      const servers = call('fulfillments/servers', { body: { customerNumber }, signal })
      return (await withErrorText(servers, ACTIVATION_ERRORS.servers)).map(toHost)
    },
    ...noBackgroundRefetch,
    ...retryUpTo(2),
  })
}

/** A license server with a page of its own, deleted or not. */
export type KnownServer = ServerHost & { readonly deletedAt: string | null }

export function serverQuery(customerNumber: string, serverId: string) {
  return queryOptions({
    queryKey: [KEY, customerNumber, 'server', serverId],
    queryFn: async ({ signal }): Promise<KnownServer> => {
      const server = await call('fulfillments/server', { body: { customerNumber, serverId }, signal })
      return { ...toHost(server), deletedAt: server.deletedAt }
    },
    staleTime: 0,
  })
}

function toHost(server: Server): ServerHost {
  const { id, name, type, ansysborrowed, portNumber, state, isShared, isOutOfDate, generatedAt, generatedBy } = server
  const identity = { serverName: name, serverId: id, serverIdType: type }
  const file = { isOutOfDate, generatedAt, generatedBy }
  return { ...identity, state, portNumber, isBorrowable: ansysborrowed, isShared, ...file, isNew: false }
}

/** Everything of an account that can be activated; it does not depend on the host. */
function availableQuery(customerNumber: string) {
  return queryOptions({
    queryKey: [KEY, customerNumber, 'available'],
    queryFn: ({ signal }) => call('fulfillments/allentitlements', { body: { customerNumber }, signal }),
    // Valid for all hosts; a save marks it as out of date.
    staleTime: 60_000,
    ...retryUpTo(2),
  })
}

function infoQuery(customerNumber: string) {
  return queryOptions({
    queryKey: [KEY, customerNumber, 'info'],
    queryFn: ({ signal }) => call('getaccountinfo', { params: { customerNumber }, signal }),
    staleTime: 60_000,
  })
}

const heldOn = (customerNumber: string, serverId: string, signal?: AbortSignal) =>
  ask('fulfillments/entitlements', { body: { customerNumber, serverId, activeOnly: true }, ...(signal && { signal }) })

/** The rows of one tab. */
export function tabQuery(customerNumber: string, host: Pick<ServerHost, 'serverId'> | undefined) {
  const serverId = host?.serverId ?? ''
  return queryOptions({
    queryKey: [KEY, customerNumber, 'tab', serverId],
    queryFn: async ({ client, signal }) => {
      const info = await withErrorText(client.fetchQuery(infoQuery(customerNumber)), fetchServerError(serverId))
      const { customerName, today } = info
      const isApproved = isExportApproved(info.ansysExportControlStatus)
      const none = { customerNumber, customerName, today, isApproved, held: [], basis: undefined, available: [] }
      if (!isApproved) return none
      const [{ data: held, basis }, available] = await Promise.all([
        // Of a new host as well: somebody else may have activated something on it by now.
        withErrorText(heldOn(customerNumber, serverId, signal), fetchServerError(serverId)),
        withErrorText(client.fetchQuery(availableQuery(customerNumber)), ACTIVATION_ERRORS.available, {
          isRetried: true,
        }),
      ])
      return { ...none, held, basis, available }
    },
    select: toTab,
    enabled: host !== undefined,
    ...noBackgroundRefetch,
    ...retryUpTo(5),
  })
}

type Loaded = {
  customerNumber: string
  customerName: string
  today: string
  isApproved: boolean
  held: Data<'fulfillments/entitlements'>
  basis: string | undefined
  available: Data<'fulfillments/allentitlements'>
}

function toTab({ customerNumber, customerName, today, isApproved, held, basis, available }: Loaded): CustomerTab {
  const rows = { assigned: assignedRows(held, today), available: loadedRows(available, today) }
  return { isApproved, activations: { customerNumber, customerName, ...rows }, basis }
}

const computed = new WeakMap<Loaded['available'], { today: string; rows: AvailableRow[] }>()

/** The available rows are the same for every host: they are computed once for what was loaded. */
function loadedRows(available: Loaded['available'], today: string): AvailableRow[] {
  const known = computed.get(available)
  if (known?.today === today) return known.rows
  const rows = availableRows(available, today)
  computed.set(available, { today, rows })
  return rows
}

/** The customers that share the host. */
export function membersQuery(customerNumber: string, host: ServerHost | undefined) {
  return queryOptions({
    queryKey: [KEY, customerNumber, 'members', host?.serverId ?? ''],
    queryFn: ({ signal }) =>
      withErrorText(
        call('fulfillments/customers', { body: { customerNumber, ...hostFields(host!) }, signal }),
        ACTIVATION_ERRORS.customers,
      ),
    enabled: host?.isShared === true,
    ...noBackgroundRefetch,
    ...retryUpTo(2),
  })
}

/** How the calls about shared servers name a host. */
export const hostFields = ({ serverId, serverIdType }: HostIdentity) => ({ hostId: serverId, hostIdType: serverIdType })

/** Two are enough to know whether this person can put several customers on one server. */
export const writableAccountsQuery = (customerNumber: string) =>
  query('accounts', { body: { customerNumber, limit: 2 } })

/** The most accounts that a search for an associated customer offers. */
export const MAX_ASSOCIATED = 100

export function associatedCustomersQuery(text: string) {
  const criterion = (name: string) => ({ name, method: 'CONTAINS' as const, value: text, casefold: true })
  const filter = { condition: 'ANY' as const, criteria: [criterion('AccountName'), criterion('AccountID')] }
  return queryOptions({
    queryKey: ['associated-customers', text],
    queryFn: async ({ signal }): Promise<readonly Account[]> => {
      const found = await call('getCustomerAccounts', { body: { filter, limit: MAX_ASSOCIATED }, signal })
      return found.map(({ AccountID = '', AccountName = '' }) => ({ number: AccountID, name: AccountName }))
    },
  })
}

export function licenseFilesQuery(customerNumber: string, serverId: string) {
  return queryOptions({
    queryKey: [KEY, customerNumber, 'files', serverId],
    queryFn: ({ signal }) => call('fulfillments/files', { body: { customerNumber, serverId }, signal }),
    staleTime: 0,
  })
}

export async function downloadLicenseFile(customerNumber: string, id: string): Promise<void> {
  const { data, licenseText } = await ask('fulfillments/files/text', { body: { customerNumber, id } })
  saveFile(new Blob([licenseText ?? '']), data.licenseFileName)
}

type SentFile = {
  readonly customerNumber: string
  readonly host: HostIdentity
  /** The text that the person sees; the last file if absent. */
  readonly text?: string
  readonly supportEmail: string
}

/** Sends the license file of a host to the person, with a copy to support. Returns who got it. */
export async function sendLicenseFile(
  { customerNumber, host: { serverName, serverId }, text, supportEmail }: SentFile,
  idempotencyKey: string,
): Promise<string> {
  const file = text === undefined ? {} : { licenseText: text }
  const body = { customerNumber, serverName, serverId, ...file, supportEmailCc: supportEmail }
  const { to, cc } = await call('fulfillments/email', { body, idempotencyKey })
  return [...to, ...cc].join(', ')
}

export async function readUploadedServer(customerNumber: string, file: File) {
  return call('uploadserverid', { body: { customerNumber, file: new Uint8Array(await file.arrayBuffer()) } })
}

/** Reloads everything on the screen now, and the data of other screens when they are opened next. */
export async function reloadActivations(queries: QueryClient): Promise<void> {
  void queries.invalidateQueries({ type: 'inactive', refetchType: 'none' })
  await queries.invalidateQueries({ queryKey: [KEY] })
}
