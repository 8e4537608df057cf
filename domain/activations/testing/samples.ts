import { assignedRows, availableRows, seatedRows } from '#domain/activations/seats/activation-lists.ts'
import type { RawActivation } from '#domain/activations/seats/activation-row.ts'
import type { CustomerActivations } from '#domain/activations/seats/activation-selection.ts'
import type { SeatedCustomer } from '#domain/activations/seats/seat-changes.ts'

export const TODAY = '2026-11-15'

/** A running lease of ten seats, none of them activated. */
export const lease: RawActivation = {
  ActivationId: 'a-1',
  ProductName: 'Structural Mechanics Pro',
  LicenseModel: 'Network',
  LineItemQuantity: 10,
  StartDate: '2026-01-01',
  EndDate: '2026-12-31',
  VersionDate: '2026-12-31',
  IsActivationPermanent: 'false',
  'CA[ENT|ansystype]': 'Lease',
  AnsysActivated: 0,
  AnsysFulfillments: [],
}

/** A permanent license, maintained until the given day. */
export const permanent = (maintainedUntil: string | null): RawActivation => ({
  ...lease,
  EndDate: null,
  VersionDate: maintainedUntil,
  IsActivationPermanent: 'true',
  'CA[ENT|ansystype]': 'Paid-up',
})

/** An entitlement with seats on the host of the request, one fulfillment per count. */
export function onHost(raw: RawActivation, ...counts: readonly number[]): RawActivation {
  const seats = counts.reduce((sum, count) => sum + count, 0)
  return {
    ...raw,
    AnsysActivated: raw.AnsysActivated + seats,
    AnsysFulfillments: counts.map((FulfillCount, index) => ({
      FulfillmentID: `${raw.ActivationId}-f${index + 1}`,
      FulfillCount,
    })),
  }
}

export function tab(customerNumber: string, ...raw: readonly RawActivation[]): CustomerActivations {
  return {
    customerNumber,
    customerName: `Customer ${customerNumber}`,
    assigned: assignedRows(raw, TODAY),
    available: availableRows(raw, TODAY),
  }
}

export function seated(customerNumber: string, ...raw: readonly RawActivation[]): SeatedCustomer {
  return { customerNumber, customerName: `Customer ${customerNumber}`, seated: seatedRows(raw, TODAY) }
}

export const HOST = { serverName: 'lic-01', serverId: '3cecef4b7d10', serverIdType: 'ETHERNET' }
export const OTHER_HOST = { serverName: 'lic-02', serverId: '9-1f04b7c2', serverIdType: 'FLEXID' }
