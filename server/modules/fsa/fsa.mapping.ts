import { toWireProduct, type WireContract } from '#contract/fsa/contracts.ts'
import type { WireFsaEntitlement } from '#contract/fsa/entitlements.ts'
import type { Booking } from '#domain/fsa/balance-over-time.ts'
import type { FsaContract, FsaProduct } from '#domain/fsa/contract.ts'
import { toFixedText } from '#domain/money/decimal.ts'
import type { FsaPrice } from '#server/modules/catalog/catalog.public.ts'
import type { ContractRow } from '#server/modules/fsa/contracts.queries.ts'
import type { EntryRow } from '#server/modules/fsa/entries.queries.ts'

/** The price list of a contract: all products that have a price in its currency. */
export function toProducts(prices: readonly FsaPrice[], currency: string): FsaProduct[] {
  const ofCurrency = prices.filter((price) => price.currency === currency)
  return [...Map.groupBy(ofCurrency, ({ part_number }) => part_number)].map(([partNumber, rows]) => ({
    partNumber,
    name: rows[0]?.name ?? '',
    prices: Object.fromEntries(rows.map(({ days, price }) => [days, price])),
  }))
}

export function toContract(row: ContractRow, products: readonly FsaProduct[]): FsaContract {
  return {
    fsaId: row.fsa_id,
    startDate: row.start_date,
    endDate: row.end_date,
    currency: row.currency,
    price: row.price,
    products,
  }
}

export function toWireContract(row: ContractRow, products: readonly FsaProduct[]): WireContract {
  return {
    EntitlementID: row.fsa_id,
    ActivationId: row.activation_id,
    ProductName: row.product_name,
    OrderId: row.order_id,
    StartDate: row.start_date,
    EndDate: row.end_date,
    'CA[ENT|ansysponum]': row.po_number,
    'CA[ENT|ansysbusopsemails]': row.business_operations_emails.join(','),
    'CA[ENT|ansyscurrency]': row.currency,
    'CA[ENT|ansysprice]': row.price,
    available: row.available,
    fsaID: row.fsa_id,
    timestamp: row.created_at.toISOString(),
    fsaproducts: products.map(toWireProduct),
  }
}

/** `days` are those of a line for several entries. */
export function toWireEntry(row: EntryRow, days?: readonly Booking[]): WireFsaEntitlement {
  return {
    ActivationId: row.activation_id,
    EntitlementID: row.entitlement_id,
    PartNumber: row.part_number,
    MappedPartNumber: row.part_number,
    ProductName: row.product_name,
    ProductCount: row.line_item_quantity,
    LineItemQuantity: row.line_item_quantity,
    ansyssubtype: 'FSA',
    ansysprice: row.price,
    ansyscount: Number(row.units_per_line),
    ansyscurrency: row.currency,
    StartDate: row.start_date,
    EndDate: row.end_date,
    manualentry: row.is_manual,
    ...(days && { bookings: days.map(({ day, price }) => ({ day, price: toFixedText(price, 2) })) }),
    apimeta: {
      requesterEmail: row.requester_email,
      orderid: row.order_id,
      timestamp: row.ordered_at.toISOString(),
      fsaID: row.fsa_id,
    },
  }
}
