import { priceRecords } from '#contract/data/price-lists.ts'
import { fixDecimals } from '#server/data/fixed-values.ts'
import { recordData } from '#server/data/record-data.ts'
import { revokeByDeleting } from '#server/data/revoke-records.ts'
import { moreThanZero, refuseUnknownProducts } from '#server/modules/catalog/known-products.queries.ts'

export const priceData = recordData(
  {
    kind: priceRecords,
    table: {
      table: 'fsa_price',
      key: priceRecords.key,
      fields: {
        currency: { column: 'currency', type: 'text' },
        partNumber: { column: 'part_number', type: 'text' },
        days: { column: 'days', type: 'integer' },
        price: { column: 'price', type: 'numeric' },
      },
    },
    read: (row) => ({ row: fixDecimals(row, ['price'], 2) }),
    prepare: async (tx, rows) => ({ refusals: await refuseUnknownProducts(tx, rows) }),
    invalid: (row) => moreThanZero(row, 'price'),
  },
  revokeByDeleting,
)
