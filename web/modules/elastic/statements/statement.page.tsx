import { lazy, type ReactNode } from 'react'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { isChargebackAddress } from '#web/modules/elastic/statements/statement-period.ts'
import { SummaryTab } from '#web/modules/elastic/statements/summary.tab.tsx'
import { AddressedTabs } from '#web/ui/addressed-tabs.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './statement.module.css'

const ChargebackTab = lazy(async () => ({
  default: (await import('#web/modules/elastic/statements/chargeback.tab.tsx')).ChargebackTab,
}))
const ForecastTab = lazy(async () => ({
  default: (await import('#web/modules/elastic/statements/forecast.tab.tsx')).ForecastTab,
}))
const EmailedTab = lazy(async () => ({
  default: (await import('#web/modules/elastic/statements/emailed.tab.tsx')).EmailedTab,
}))
const ScheduleTab = lazy(async () => ({
  default: (await import('#web/modules/elastic/statements/schedule.tab.tsx')).ScheduleTab,
}))

const TABS = {
  summary: { title: 'Summary', content: () => <SummaryTab /> },
  chargeback: { title: 'Chargeback', content: () => <ChargebackTab /> },
  forecast: { title: 'Forecast', content: () => <ForecastTab /> },
  emailed: { title: 'Emailed', content: () => <EmailedTab /> },
  schedule: { title: 'Schedule', content: () => <ScheduleTab /> },
} as const satisfies Record<string, { title: string; content(): ReactNode }>

const ALL = ['summary', 'chargeback', 'forecast', 'emailed', 'schedule'] as const
const WITHOUT_SCHEDULE = ['summary', 'chargeback', 'forecast', 'emailed'] as const

/** What an account used in a period, who used it, when balances end, and what was and will be emailed. */
export function Page() {
  const { number, name, info } = useKnownCustomer()
  const tabs = useCan('contacts.read') ? ALL : WITHOUT_SCHEDULE
  return (
    <>
      <PageHead
        context={
          <div className={classes.context}>
            <Facts
              layout="line"
              facts={[
                ['Report Date', info.today],
                ['Account ID (Account Name)', `${number} (${name})`],
              ]}
            />
            <span>Usage is counted on the day a session ends ({info.timeZone})</span>
          </div>
        }
      />
      <AddressedTabs label="Elastic Statements" tabs={tabs} contents={TABS} fallbackOf={tabOf} />
    </>
  )
}

/** Before there were tabs, the address of a chargeback named its dimension only. */
const tabOf = (search: URLSearchParams) => (isChargebackAddress(search) ? 'chargeback' : 'summary')
