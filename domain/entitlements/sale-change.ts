import { kindOfModel } from '#domain/entitlements/kind.ts'

/** The fields of an entitlement in use that the vendor's systems can change. */
export type Sale = { readonly quantity: number; readonly state: string; readonly licenseModel: string }

/** How an entitlement is used. */
export type SaleUse = {
  /** Seats on hosts. */
  readonly activated: number
  /** Seats that a running plan returns on one host and activates on another. */
  readonly reserved: number
  /** People to whom a web license is assigned. */
  readonly assigned: number
  /** Whether elastic usage is booked on it. */
  readonly hasUsage: boolean
}

export type SaleRefusal = { readonly code: 'QUANTITY_IN_USE' | 'IN_USE'; readonly err: string }

/** Why an entitlement cannot be changed this way: no order system may take away a seat that somebody has. */
export function saleRefusal(before: Sale, after: Sale, use: SaleUse): SaleRefusal | undefined {
  const kind = kindOfModel(before.licenseModel)
  const isOtherUse =
    kindOfModel(after.licenseModel) !== kind || isOrderModel(after.licenseModel) !== isOrderModel(before.licenseModel)
  const onHosts = use.activated + use.reserved
  const isInUse = onHosts + use.assigned > 0
  if (after.state !== 'Deployed' && before.state === 'Deployed' && isInUse)
    return { code: 'IN_USE', err: `It cannot become ${after.state}: ${useText(use)}.` }
  if (isOtherUse && (isInUse || use.hasUsage))
    return { code: 'IN_USE', err: `It cannot become ${after.licenseModel}: ${useText(use)}.` }
  // On a shared web license an assignment says who may draw, and takes no seat.
  const taken = onHosts + (kind === 'SUBSCRIPTION' ? use.assigned : 0)
  if (after.quantity < before.quantity && after.quantity < taken)
    return { code: 'QUANTITY_IN_USE', err: `The quantity cannot drop to ${after.quantity}: ${useText(use)}.` }
  return undefined
}

/** Orders from spending accounts are activated like leases, and are neither network nor node-locked by their model. */
const isOrderModel = (licenseModel: string) => licenseModel === 'FSA'

function useText({ activated, reserved, assigned, hasUsage }: SaleUse): string {
  const texts = [
    activated > 0 ? `${seats(activated)} activated` : '',
    reserved > 0 ? `${seats(reserved)} being moved` : '',
    assigned > 0 ? `${seats(assigned)} assigned` : '',
    hasUsage ? 'usage is booked on it' : '',
  ]
  return texts.filter(Boolean).join(', ')
}

const seats = (count: number) => (count === 1 ? '1 seat is' : `${count} seats are`)
