import type { HostIdentity } from '#domain/activations/hosts/host.ts'

/** Plans with a preview of their own. Of a save, the license file alone is previewed. */
export const PREVIEWED_ACTIONS = ['REHOST', 'DEACTIVATE', 'RENEW', 'FORCE_RETURN', 'REGENERATE'] as const
export type PreviewedAction = (typeof PREVIEWED_ACTIONS)[number]

/** Changes to one or more hosts, carried out by the server as one plan. */
export const PLAN_ACTIONS = [...PREVIEWED_ACTIONS, 'SAVE'] as const
export type PlanAction = (typeof PLAN_ACTIONS)[number]

/** A failed plan was stopped by a rule or has an unknown step. After any other error a plan is resumed. */
export const PLAN_STATES = ['waiting', 'running', 'done', 'failed'] as const
export type PlanState = (typeof PLAN_STATES)[number]

/** The subject of a stored plan. Its steps say what is done. */
export type PlanRequest = {
  /** Null where the plan is about all hosts of the account. */
  readonly source: HostIdentity | null
  readonly target: (HostIdentity & { readonly port: number }) | null
  /** Customers whose seats and licenses the person who starts the plan may change. */
  readonly customers: readonly string[]
  /** Why seats of a lost host are taken back. */
  readonly reason?: string
  /** Saves have the port of a new host, and whether licenses of the host can be borrowed. */
  readonly port?: number
  readonly isBorrowable?: boolean
}

export const NOTHING_TO_DO = 'Nothing is selected that could be changed.'
export const NOTHING_TO_RENEW =
  'What ends within 90 days has been renewed, or the account has no available seats of the same product that end later.'
export const NO_FILE_OUT_OF_DATE = 'No license file is out of date.'
export const GOES_ON =
  'Seats that were returned are kept for the new license server. This goes on by itself once the cause is gone.'
export const ONLY_INACTIVE_HOSTS = 'Only inactive license servers can be deleted.'

export const activeText = ({ serverName, serverId }: HostIdentity) => `Host ${serverName} (${serverId}) is active.`
export const notActiveText = ({ serverName, serverId }: HostIdentity) =>
  `License server ${serverName} (${serverId}) is not active.`
export const busyText = ({ serverName, serverId }: HostIdentity) =>
  `License server ${serverName} (${serverId}) is being changed right now. Please try again when that is done.`
