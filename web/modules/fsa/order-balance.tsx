import { usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import type { WireContract } from '#contract/fsa/contracts.ts'
import { spentPercentage } from '#domain/fsa/balance.ts'
import { formatDecimal, subtract } from '#domain/money/decimal.ts'
import type { OrderFigures } from '#web/modules/fsa/edited-lines.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './order.module.css'

type Props = { chosen: WireContract; available: string; figures: OrderFigures }

/** What the order costs and what it leaves. */
export function OrderBalance({ chosen, available, figures }: Props) {
  const currency = chosen['CA[ENT|ansyscurrency]']
  const price = chosen['CA[ENT|ansysprice]']
  const { totalCost, balanceAfter, isTooExpensive } = figures
  const percent = isTooExpensive ? 100 : spentPercentage(price, subtract(price, balanceAfter))
  const money = (amount: string) => `${formatDecimal(amount, 2)} ${currency}`
  return (
    <dl className={classes.balance}>
      <div>
        <dt>Available balance</dt>
        <dd>{money(available)}</dd>
      </div>
      <div>
        <dt>Total cost</dt>
        <dd>{money(totalCost)}</dd>
      </div>
      <div>
        <dt>Balance after the order</dt>
        <dd data-missing={isTooExpensive || undefined}>
          {money(balanceAfter)}
          <div className={classes.bar}>
            <ProgressBar percent={percent} color={isTooExpensive ? 'red' : usedPercentageColor(percent)}>
              {isTooExpensive
                ? `${money(subtract(totalCost, available))} missing`
                : `${percent} % of ${formatDecimal(price, 2)} used`}
            </ProgressBar>
          </div>
        </dd>
      </div>
    </dl>
  )
}
