import type { WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import type { HistoryRow } from '#contract/fsa/history-list.ts'

/** What was ordered from a contract, as the history shows it. */
export function ordersOf(entitlements: readonly WireFsaEntitlement[], fsaId: string): HistoryRow[] {
  return entitlements
    .filter(({ apimeta }) => apimeta.fsaID === fsaId)
    .map((one) => ({
      activationid: one.ActivationId,
      entitlementId: one.EntitlementID,
      ansysproduct: one.ProductName,
      fsaId,
      orderdate: one.apimeta.timestamp,
      count: one.LineItemQuantity,
      startdate: one.StartDate,
      enddate: one.EndDate,
      cost: Number(one.ansysprice),
      currency: one.ansyscurrency,
      requester: one.apimeta.requesterEmail,
      manualentry: one.manualentry,
    }))
}
