export const DENIAL_CAUSES = [
  'shortage',
  'not-entitled',
  'version',
  'options-file',
  'expired',
  'server',
  'other',
  'unknown',
] as const
export type DenialCause = (typeof DENIAL_CAUSES)[number]

export const DENIAL_CAUSE_LABELS: Readonly<Record<DenialCause, string>> = {
  shortage: 'All seats taken',
  'not-entitled': 'Not in the license',
  version: 'Version too new',
  'options-file': 'Options file',
  expired: 'Expired',
  server: 'License server down',
  other: 'Other',
  unknown: 'Unknown',
}

/** FlexNet's error numbers, of which the first in brackets is documented. */
const CAUSE_OF_CODE: Readonly<Record<number, DenialCause>> = {
  [-4]: 'shortage',
  [-24]: 'shortage',
  [-5]: 'not-entitled',
  [-18]: 'not-entitled',
  [-21]: 'version',
  [-25]: 'version',
  [-38]: 'options-file',
  [-39]: 'options-file',
  [-87]: 'options-file',
  [-101]: 'options-file',
  [-10]: 'expired',
  [-31]: 'expired',
  [-15]: 'server',
  [-16]: 'server',
  [-83]: 'server',
  [-96]: 'server',
  [-97]: 'server',
}

export function denialCause(event: 'DENIED' | 'UNSUPPORTED', code: number | null): DenialCause {
  if (event === 'UNSUPPORTED') return 'not-entitled'
  if (code === null) return 'unknown'
  return CAUSE_OF_CODE[code] ?? 'other'
}
