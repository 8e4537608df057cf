import { Text } from '@mantine/core'
import type { ProviderDomain } from '#contract/sign-in-providers/sign-in-providers.ts'
import { LAPSE_DAYS } from '#domain/sign-in-providers/domain-proof.ts'
import { timeText } from '#web/lib/format.ts'
import { ADD_DOMAIN, CHECK_DOMAIN, REMOVE_DOMAIN } from '#web/modules/sign-in-providers/sign-in-providers.actions.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { RowAction } from '#web/ui/actions/row-action.tsx'
import { useActions } from '#web/ui/actions/use-actions.tsx'
import { Card } from '#web/ui/cards.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import classes from './sign-in-providers.module.css'

const STATES = {
  waiting: { text: 'Not proven yet', signal: 'orange' },
  proven: { text: 'Proven', signal: 'green' },
  failing: { text: 'Record not found', signal: 'orange' },
  lapsed: { text: 'Not proven any more', signal: 'red' },
} as const

export function DomainsCard({ domains }: { domains: readonly ProviderDomain[] }) {
  const { run, dialog } = useActions()
  return (
    <Card title="Domains" about="A TXT record in DNS proves that a domain is yours. It is read again every day.">
      {domains.length === 0 && (
        <Text c="dimmed" mb="xs">
          There are no domains. Add the domain of your email addresses.
        </Text>
      )}
      <ul className={classes.domains} aria-label="Domains">
        {domains.map((domain) => (
          <li key={domain.domain}>
            <div className={classes.head}>
              <b className={classes.name}>{domain.domain}</b>
              <SignalDot signal={STATES[domain.state].signal}>{STATES[domain.state].text}</SignalDot>
              <span className={classes.buttons}>
                <ActionButton
                  action={CHECK_DOMAIN}
                  thing={domain}
                  size="xs"
                  variant="default"
                  aria-label={`Check now: ${domain.domain}`}
                />
                <RowAction action={REMOVE_DOMAIN} thing={domain} name={domain.domain} onRun={run} />
              </span>
            </div>
            <Text c="dimmed" mb="xs">
              {noteOf(domain)}
            </Text>
            <Facts
              facts={[
                ['TXT record', <Copied key="name" value={domain.recordName} what="name of the TXT record" />],
                ['Value', <Copied key="value" value={domain.recordValue} what="value of the TXT record" />],
              ]}
            />
          </li>
        ))}
      </ul>
      <ActionButton action={ADD_DOMAIN} thing={undefined} size="xs" variant="default" hasIcon />
      {dialog}
    </Card>
  )
}

export function Copied({ value, what }: { value: string; what: string }) {
  return (
    <span className={classes.code}>
      {value} <CopyButton value={value} what={what} />
    </span>
  )
}

function noteOf({ state, checkedAt, outcome, failures }: ProviderDomain): string {
  const last =
    checkedAt === null
      ? 'Not checked yet.'
      : `Last checked ${timeText(checkedAt)}: ${OUTCOMES[outcome ?? 'unanswered']}.`
  if (state === 'failing')
    return `${last} ${failures} checks in a row have failed. Sign-ins work; ${LAPSE_DAYS} days without the record end the proof.`
  return state === 'lapsed' ? `${last} People of the domain sign in without your provider.` : last
}

const OUTCOMES = { found: 'found', missing: 'not found', unanswered: 'name servers did not answer' } as const
