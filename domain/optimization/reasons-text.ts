import type { DenialReason } from '#domain/optimization/advice.ts'

/** Such as `NO_SEAT 3, EXPORT 1`. */
export const reasonsText = (reasons: readonly DenialReason[]): string =>
  reasons.map(({ reason, count }) => `${reason} ${count}`).join(', ')
