import type { PlanStep } from '#domain/activations/plans/plan.ts'

/** Texts of the banner for a failed step or fetch whose cause has no specific text. */
export const ACTIVATION_ERRORS = {
  return: 'Error returning fulfillments. Please clear the error and retry.',
  'set group': 'Error creating shared server group. Please clear the error and retry.',
  'deactivate group': 'Error deactivating shared server group. Please clear the error and retry.',
  create: 'Error creating fulfillments. Please clear the error and retry.',
  generate: 'Error creating license file. Please clear the error and retry.',
  email: 'Error sending email message. Please clear the error and retry.',
  remove: 'Error removing server. Please retry.',
  history: 'Error fetching fulfillment history for all the servers.',
  servers: 'unable to fetch servers information',
  available: 'unable to fetch available fulfilled entitlements',
  customers: 'Unable to fetch customers for the selected server due to an exception.',
  rehost: 'Rehosting is not currently supported.',
} as const

export type ActivationErrorCase = keyof typeof ACTIVATION_ERRORS

export function fetchServerError(serverId: string): string {
  return `unable to fetch fulfilled entitlements for server ${serverId}`
}

/** Causes with a specific text, no matter which step they stopped. */
const CAUSES: readonly (readonly [found: RegExp, text: string])[] = [
  [/ESOCKETTIMEDOUT/, 'Unable to complete the activation due to request timeout. Please clear the error and retry.'],
  [
    /activation of the fulfillment is denied by the activation policy/i,
    'Unable to complete the activation as the fulfillment is denied by the activation policy. Please clear the error and retry.',
  ],
  [
    /caught an exception|500 Internal Server Error/i,
    'Unable to complete the activation due to an exception. Please clear the error and retry.',
  ],
  [/\bEFETCH\b/, ACTIVATION_ERRORS.customers],
]

/** The banner's text for what a call answered: known causes first, else the step's own text; the reference id follows. */
export function activationErrorText(raw: string, otherwise: string): string {
  const cause = CAUSES.find(([found]) => found.test(raw))
  const reference = /reference id \[([0-9a-f]{32})\]/i.exec(raw)?.[1]
  const text = cause?.[1] ?? otherwise
  return reference ? `${text} (${reference})` : text
}

/** Steps without a specific text count as reading the host or making its file. */
const CASE_OF_STEP: Readonly<Record<PlanStep['kind'], ActivationErrorCase>> = {
  return: 'return',
  create: 'create',
  override: 'deactivate group',
  'deactivate group': 'deactivate group',
  'set group': 'set group',
  generate: 'generate',
  email: 'email',
}

/** A step of an unknown kind shows the raw error. */
export function stepErrorText({ kind }: Pick<PlanStep, 'kind'>, raw: string): string {
  return activationErrorText(raw, ACTIVATION_ERRORS[CASE_OF_STEP[kind]] ?? raw)
}

const NO_DAEMONS = 'No daemons with activations found for server'

export function noDaemonsError(serverId: string): string {
  return `${NO_DAEMONS} ${serverId}`
}
