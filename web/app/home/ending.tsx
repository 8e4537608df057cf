import { Anchor, Paper, Text, Title } from '@mantine/core'
import type { AccountHome } from '#contract/home/account-home.ts'
import { countEndingWithin, ENDING_STEPS, MAX_STEP } from '#domain/home/ending.ts'
import { type EndingKind, endingScreen, endingWithin } from '#web/app/home/home-links.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { countText } from '#web/lib/format.ts'
import { leasesEndText } from '#web/parts/entitlement/leases-end-text.ts'
import classes from './home.module.css'

type Kind = { id: EndingKind; name: string; one: string; many: string }

const KINDS: readonly Kind[] = [
  { id: 'leases', name: 'Leases', one: 'lease', many: 'leases' },
  { id: 'webLicenses', name: 'Web licenses', one: 'web license', many: 'web licenses' },
  { id: 'elastic', name: 'Elastic', one: 'elastic entitlement', many: 'elastic entitlements' },
  { id: 'contracts', name: 'Spending accounts', one: 'spending account', many: 'spending accounts' },
]

/** How much of each kind ends within a number of days, with the link to its rows: each number is made here once. */
export function endingCounts({ ending, today }: AccountHome, screens: ReadonlySet<string>, step: number) {
  return KINDS.flatMap((kind) => {
    const days = ending[kind.id]
    if (!days || !screens.has(endingScreen(kind.id))) return []
    const count = countEndingWithin(days, step, today)
    const withSeats = countEndingWithin(days, step, today, 'withSeats')
    const when = `within ${step} days`
    const text =
      kind.id === 'leases'
        ? leasesEndText(count, withSeats, when)
        : `${countText(count)} ${count === 1 ? `${kind.one} ends` : `${kind.many} end`} ${when}`
    return [
      { ...kind, count, withSeats, noun: count === 1 ? kind.one : kind.many, text, to: endingWithin(kind.id, step) },
    ]
  })
}

/** What ends within 90 days, as numbers. */
export function Ending({ home, screens }: { home: AccountHome; screens: ReadonlySet<string> }) {
  const steps = ENDING_STEPS.map((step) => ({ step, counts: endingCounts(home, screens, step) }))
  const kinds = steps[0]?.counts ?? []
  if (kinds.length === 0) return null
  // Kinds of which nothing ends are left out.
  const last = steps.at(-1)?.counts ?? []
  const isEmpty = last.every(({ count }) => count === 0)
  return (
    <Paper p="1rem" className={classes.scrolls}>
      <Title order={2} mb="0.5rem">
        Ending soon
      </Title>
      {isEmpty ? (
        <Text c="dimmed">Nothing ends within {MAX_STEP} days.</Text>
      ) : (
        <table className={classes.ending}>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              {ENDING_STEPS.map((step) => (
                <th key={step} scope="col">
                  {step} days
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {kinds.map(
              ({ id, name }, at) =>
                (last[at]?.count ?? 0) > 0 && (
                  <tr key={id}>
                    <th scope="row">{name}</th>
                    {steps.map(({ step, counts }) => {
                      const { count = 0, text, to = '' } = counts[at] ?? {}
                      return (
                        <td key={step}>
                          {count === 0 ? (
                            <Text span inherit c="dimmed">
                              0
                            </Text>
                          ) : (
                            <Anchor component={PortalLink} to={to} inherit aria-label={text} title={text}>
                              {countText(count)}
                            </Anchor>
                          )}
                        </td>
                      )
                    })}
                  </tr>
                ),
            )}
          </tbody>
        </table>
      )}
    </Paper>
  )
}
