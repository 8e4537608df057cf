import { Checkbox, Text, Title, VisuallyHidden } from '@mantine/core'
import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf, countText } from '#web/lib/format.ts'
import classes from '#web/modules/activations/history/history.module.css'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import type { PlannedChange } from '#web/modules/activations/plans/host-plan.api.ts'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { renewalText } from '#web/modules/activations/plans/plan-texts.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import { OrderOrAsk } from '#web/parts/order-or-ask.tsx'
import { useOffer } from '#web/parts/spending-accounts.ts'
import { dateFigures } from '#web/ui/figures.tsx'
import { Id } from '#web/ui/id.tsx'

export type Ending = PlanPreview['endings'][number]
export type RenewalRow = {
  readonly ending: Ending
  /** What takes over its seats; several where one has not enough. */
  readonly renewals: readonly PlannedChange[]
  readonly isTicked: boolean
}

/** Endings that something replaces, with what replaces them. */
export function renewalRows({ endings, changes }: Pick<PlanPreview, 'endings' | 'changes'>): RenewalRow[] {
  return endings.flatMap((ending) => {
    const renewals = changes.filter(
      ({ replaces, server }) => replaces === ending.activationid && server.serverId === ending.server.serverId,
    )
    const [first] = renewals
    return first ? [{ ending, renewals, isTicked: first.isTicked }] : []
  })
}

type Props = { title: string; rows: readonly RenewalRow[]; hasHosts: boolean; onToggle(row: RenewalRow): void }

/** What is replaced with what. Unticked products stay as they are. */
export function RenewalTable({ title, rows, hasHosts, onToggle }: Props) {
  const ticked = rows.filter(({ isTicked }) => isTicked).flatMap(({ renewals }) => renewals)
  const seats = ticked.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className={confirm.tables}>
      <table aria-label={title} className={`plain-table ${confirm.table}`}>
        <thead>
          <tr>
            <th style={{ width: 44 }}>
              <VisuallyHidden>Include</VisuallyHidden>
            </th>
            <th>Product</th>
            <th style={{ width: 310 }} className={confirm.wide}>
              Ends
            </th>
            <th style={{ width: 310 }} className={confirm.wide}>
              Replaced by
            </th>
            <th style={{ width: 76 }} className="right figures">
              Count
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={keyOf(row.ending)} row={row} hasHosts={hasHosts} onToggle={() => onToggle(row)} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            <th>Seats</th>
            <td className={confirm.wide} />
            <td className={confirm.wide} />
            <th className="right figures">{countText(seats)}</th>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

type RowProps = { row: RenewalRow; hasHosts: boolean; onToggle(): void }

function Row({ row: { ending, renewals, isTicked }, hasHosts, onToggle }: RowProps) {
  const { ansysproduct, activationid, enddate, server } = ending
  const { today } = useKnownCustomer().info
  return (
    <tr data-unticked={!isTicked || undefined}>
      <td>
        <Checkbox
          size="xs"
          aria-label={`${ansysproduct} ${activationid} ${nameOf(server)}`}
          checked={isTicked}
          onChange={onToggle}
        />
      </td>
      <td>
        {ansysproduct}
        {hasHosts && (
          <span className={classes.below}>
            <HostLink host={server} />
          </span>
        )}
        <span className={confirm.narrow}>
          {activationid} <span className={confirm.days}>ends {enddate}</span>
        </span>
        {renewals.map((one) => (
          <span key={one.activationid} className={confirm.narrow}>
            → {one.activationid},{' '}
            <span className={confirm.days}>
              {one.startdate} – {one.enddate}.
            </span>{' '}
            {effectOf(one, enddate, today)}
          </span>
        ))}
      </td>
      <td className={confirm.wide}>
        <Id id={activationid} what="activation ID" />
        <span className={`${classes.below} figures`}>{dateFigures(enddate)}</span>
      </td>
      <td className={confirm.wide}>
        {renewals.map((one) => (
          <div key={one.activationid}>
            <Id id={one.activationid} what="activation ID" />
            <span className={`${classes.below} figures`}>
              {dateFigures(one.startdate)} – {dateFigures(one.enddate)}
            </span>
            <span className={classes.below}>{effectOf(one, enddate, today)}</span>
          </div>
        ))}
      </td>
      <td className="right figures">{countText(renewals.reduce((sum, { count }) => sum + count, 0))}</td>
    </tr>
  )
}

const effectOf = ({ count, startdate }: PlannedChange, oldEnd: string, today: CalendarDay) =>
  renewalText({ seats: count, begins: startdate, oldEnd }, today)

/** Seats that end without a renewal. */
export function Unrenewed({ endings, hasHosts }: { endings: readonly Ending[]; hasHosts: boolean }) {
  const left = endings.filter(({ unrenewed }) => unrenewed > 0)
  if (left.length === 0) return null
  return (
    <section className={confirm.preview}>
      <Title order={3}>No renewal available</Title>
      <Text size="sm" c="dimmed" mt="0.5rem">
        The account has no more available seats of these products that end later. They stay on the license server until
        they end.
      </Text>
      <ul className={classes.unrenewed}>
        {left.map((one) => (
          <UnrenewedRow key={keyOf(one)} ending={one} hasHosts={hasHosts} />
        ))}
      </ul>
    </section>
  )
}

function UnrenewedRow({ ending, hasHosts }: { ending: Ending; hasHosts: boolean }) {
  const { ansysproduct, unrenewed, count, server, enddate, activationid } = ending
  const offer = useOffer(ansysproduct, unrenewed)
  return (
    <li>
      {ansysproduct}: {countText(unrenewed)} of {countText(count)} {count === 1 ? 'seat' : 'seats'}
      {hasHosts && (
        <>
          {' '}
          on <HostLink host={server} />
        </>
      )}
      , until {enddate} <Id id={activationid} what="activation ID" />{' '}
      <OrderOrAsk
        about={`${countOf(unrenewed, 'seat')} of ${ansysproduct}`}
        line={offer && { contract: offer.fsaId, product: offer.partNumber, count: unrenewed }}
        facts={[`They renew ${activationid} on ${nameOf(server)}, which ends on ${enddate}.`]}
      />
    </li>
  )
}

const keyOf = ({ server, activationid }: Ending) => `${server.serverId} ${activationid}`
