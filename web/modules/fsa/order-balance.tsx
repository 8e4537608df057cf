import { usedPercentageColor } from '#contract/entitlements/bar-color.ts'
import type { WireContract } from '#contract/fsa/contracts.ts'
import { spentPercentage } from '#domain/fsa/balance.ts'
import type { OrderDecision } from '#domain/fsa/check-order.ts'
import { formatDecimal, subtract } from '#domain/money/decimal.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './order.module.css'

type Props = { chosen: WireContract; available: string; decision: OrderDecision }

/** What the order costs and what it leaves. */
export function OrderBalance({ chosen, available, decision }: Props) {
  const currency = chosen['CA[ENT|ansyscurrency]']
  const price = chosen['CA[ENT|ansysprice]']
  const percent = spentPercentage(price, subtract(price, decision.balanceAfter))
  const money = (amount: string) => `${formatDecimal(amount, 2)} ${currency}`
  return (
    <dl className={classes.balance}>
      <div>
        <dt>Available balance</dt>
        <dd>{money(available)}</dd>
      </div>
      <div>
        <dt>Total cost</dt>
        <dd>{money(decision.totalCost)}</dd>
      </div>
      <div>
        <dt>Balance after the order</dt>
        <dd>
          {money(decision.balanceAfter)}
          <div className={classes.bar}>
            <ProgressBar percent={percent} color={usedPercentageColor(percent)}>
              {percent} % of {formatDecimal(price, 2)} used
            </ProgressBar>
          </div>
        </dd>
      </div>
    </dl>
  )
}
