import type { FsaContract, FsaProduct } from '#domain/fsa/contract.ts'

export const TODAY = '2026-11-15'

export const SOLVER: FsaProduct = {
  partNumber: 'ANS0010110',
  name: 'Structural Mechanics Pro',
  prices: { 7: '665.00', 30: '1900.00', 60: '3515.00', 90: '4940.00', 180: '9120.00', 365: '16150.00' },
}

/** Only some periods have a price. */
export const CHEMISTRY: FsaProduct = {
  partNumber: 'FLU0020140',
  name: 'Combustion Chemistry',
  prices: { 30: '1600.00', 90: '4160.00' },
}

export const CONTRACT: FsaContract = {
  fsaId: 'ENT-100001-FSA',
  startDate: '2026-06-01',
  endDate: '2027-05-31',
  currency: 'USD',
  price: '250000.00',
  products: [SOLVER, CHEMISTRY],
}
