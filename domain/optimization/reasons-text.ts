import { SESSION_REFUSAL_LABELS } from '#domain/elastic/sessions/session-refusal.ts'
import type { DenialReason } from '#domain/optimization/advice.ts'
import { CHECKOUT_REFUSAL_LABELS } from '#domain/web-licenses/checkout.ts'

const LABELS: Readonly<Record<string, string>> = { ...SESSION_REFUSAL_LABELS, ...CHECKOUT_REFUSAL_LABELS }

/** Such as `No seat free 3, Export compliance 1`. */
export const reasonsText = (reasons: readonly DenialReason[]): string =>
  reasons.map(({ reason, count }) => `${LABELS[reason] ?? reason} ${count}`).join(', ')
