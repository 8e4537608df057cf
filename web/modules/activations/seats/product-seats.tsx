import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { type ProductSeats, type SeatsUntil, seatsByProduct } from '#domain/activations/seats/seats-by-product.ts'
import { EXPIRED } from '#domain/entitlements/term.ts'
import { countOf, countText } from '#web/lib/format.ts'
import { ActivatedProducts } from '#web/modules/activations/history/activated-products.tsx'
import type { CurrentActivation } from '#web/modules/activations/history/host-history.api.ts'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import { dateFigures } from '#web/ui/figures.tsx'
import classes from './product-seats.module.css'

/** The seats of a license server by product, with the days on which they end. A product unfolds to its entitlements. */
export function ProductSeatsTable({ rows }: { rows: readonly CurrentActivation[] }) {
  return (
    <table aria-label="Seats by product" className={`plain-table ${confirm.table}`}>
      <thead>
        <tr>
          <th>Product</th>
          <th style={{ width: 76 }} className="right figures">
            Seats
          </th>
          <th style={{ width: '50%' }} className={confirm.wide}>
            Expiration Date
          </th>
        </tr>
      </thead>
      <tbody>
        {seatsByProduct(rows).map((product) => (
          <Product key={product.product} product={product} />
        ))}
      </tbody>
    </table>
  )
}

function Product({ product: { product, seats, ends, entitlements } }: { product: ProductSeats<CurrentActivation> }) {
  const [isOpen, setIsOpen] = useState(false)
  // A phone has no column for dates; a cell over three columns would add an empty one.
  const columns = useMediaQuery('(max-width: 37.49em)') ? 2 : 3
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const hasExpired = entitlements.some(({ remainingdays }) => remainingdays === EXPIRED)
  return (
    <>
      <tr>
        <td>
          <UnstyledButton
            fz="inherit"
            className={classes.product}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Chevron size={16} aria-hidden className={classes.chevron} />
            <span>
              {product} <span className={classes.soft}>{countOf(entitlements.length, 'entitlement')}</span>
            </span>
          </UnstyledButton>
          {hasExpired && (
            <span className={confirm.expired}>
              <IconAlertTriangle size={12} aria-hidden /> expired
            </span>
          )}
          <div className={`${confirm.narrow} figures`}>
            <Ends ends={ends} />
          </div>
        </td>
        <td className="right figures">{countText(seats)}</td>
        <td className={`${confirm.wide} figures`}>
          <Ends ends={ends} />
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={columns} className={classes.entitlements}>
            <ActivatedProducts rows={entitlements} />
          </td>
        </tr>
      )}
    </>
  )
}

/** The days on which seats end, each with its seats if there are several. */
function Ends({ ends }: { ends: readonly SeatsUntil[] }) {
  if (ends.length === 1) return dateFigures(ends[0]?.enddate ?? '')
  return ends.map(({ enddate, seats }) => (
    <div key={enddate}>
      {dateFigures(enddate)} <span className={classes.soft}>{countOf(seats, 'seat')}</span>
    </div>
  ))
}
