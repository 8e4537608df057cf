import { Table, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { type ProductSeats, type SeatsUntil, seatsByProduct } from '#domain/activations/seats/seats-by-product.ts'
import { EXPIRED } from '#domain/entitlements/term.ts'
import { countOf, countText } from '#web/lib/format.ts'
import { ActivatedProducts } from '#web/modules/activations/history/activated-products.tsx'
import type { CurrentActivation } from '#web/modules/activations/history/host-history.api.ts'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import classes from './product-seats.module.css'

/** The seats of a license server by product, with the days on which they end. A product unfolds to its entitlements. */
export function ProductSeatsTable({ rows }: { rows: readonly CurrentActivation[] }) {
  return (
    <Table aria-label="Seats by product" className={confirm.table} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Product</Table.Th>
          <Table.Th w={76} ta="right" className="figures">
            Seats
          </Table.Th>
          <Table.Th w="50%" className={confirm.wide}>
            Expiration Date
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {seatsByProduct(rows).map((product) => (
          <Product key={product.product} product={product} />
        ))}
      </Table.Tbody>
    </Table>
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
      <Table.Tr>
        <Table.Td>
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
        </Table.Td>
        <Table.Td ta="right" className="figures">
          {countText(seats)}
        </Table.Td>
        <Table.Td className={`${confirm.wide} figures`}>
          <Ends ends={ends} />
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={columns} className={classes.entitlements}>
            <ActivatedProducts rows={entitlements} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

/** The days on which seats end, each with its seats if there are several. */
function Ends({ ends }: { ends: readonly SeatsUntil[] }) {
  if (ends.length === 1) return ends[0]?.enddate
  return ends.map(({ enddate, seats }) => (
    <div key={enddate}>
      {enddate} <span className={classes.soft}>{countOf(seats, 'seat')}</span>
    </div>
  ))
}
