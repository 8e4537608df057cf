import { ActionIcon, Anchor, Button, Menu, Paper, TextInput, Title } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { AccountHome, HiddenHomeMatter, HomeMatter } from '#contract/home/account-home.ts'
import { addDays, type CalendarDay, isCalendarDay } from '#domain/calendar/calendar-day.ts'
import { daysToAct, doneDays, ENDS_SOON, urgencyOf } from '#domain/home/work-list.ts'
import { denialsOf, endingWithin, maintenanceEnded, undeliveredEmails } from '#web/app/home/home-links.ts'
import { dayText, MATTER_SCREENS, matterTexts } from '#web/app/home/matter-texts.ts'
import { useSave } from '#web/form/use-save.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { call } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf, countText } from '#web/lib/format.ts'
import { REGENERATE_ALL, RENEW_ALL } from '#web/modules/activations/activations.actions.tsx'
import { AddUsername, AllowAddress, ResetPinLock } from '#web/modules/elastic/sessions/denial-fix.tsx'
import { CheckoutFix } from '#web/modules/web-licenses/checkouts/checkout-fix.tsx'
import { ActionButton } from '#web/ui/action-button.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Ask } from '#web/ui/order-or-ask.tsx'
import { SIGNAL_ICONS } from '#web/ui/signal-strip.tsx'
import classes from './work-list.module.css'

type Props = { home: AccountHome; screens: ReadonlySet<string> }

/** What should be done on the account, the most urgent first, each with the button that does it. */
export function WorkList({ home, screens }: Props) {
  const [isHiddenShown, setIsHiddenShown] = useState(false)
  const isSeen = ({ kind }: HomeMatter) => screens.has(MATTER_SCREENS[kind])
  const matters = home.matters.filter(isSeen)
  const hidden = home.hiddenMatters.filter(isSeen)
  const more = new Map(home.moreMatters.map(({ kind, count }) => [kind, count]))
  const isLastOfKind = ({ kind, key }: HomeMatter) => matters.findLast((one) => one.kind === kind)?.key === key
  if (matters.length === 0 && hidden.length === 0) return null
  return (
    <Paper p="1rem" component="section" aria-labelledby="work-list">
      <Title order={2} id="work-list" mb="0.5rem">
        To do
      </Title>
      {matters.length === 0 && <p className={classes.none}>All done.</p>}
      <ul className={classes.list} aria-label="To do">
        {matters.map((matter) => (
          <Fragment key={matter.key}>
            <Line matter={matter} today={home.today} />
            {isLastOfKind(matter) && <MoreLine matter={matter} count={more.get(matter.kind) ?? 0} today={home.today} />}
          </Fragment>
        ))}
      </ul>
      {hidden.length > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="0.5rem"
          aria-expanded={isHiddenShown}
          onClick={() => setIsHiddenShown(!isHiddenShown)}
        >
          {isHiddenShown ? 'Hide what is done or snoozed' : `${countOf(hidden.length, 'matter')} done or snoozed`}
        </Button>
      )}
      {isHiddenShown && hidden.length > 0 && (
        <ul className={classes.list} aria-label="Done or snoozed">
          {hidden.map((matter) => (
            <HiddenLine key={matter.key} matter={matter} />
          ))}
        </ul>
      )}
    </Paper>
  )
}

type LineProps = { matter: HomeMatter; today: CalendarDay }

function Line({ matter, today }: LineProps) {
  const { text, reason } = matterTexts(matter)
  const signal = urgencyOf(daysToAct(matter, today))
  const Icon = SIGNAL_ICONS[signal]
  const denials = denialsOf(matter, today)
  return (
    <li className={classes.line} data-signal={signal}>
      <Icon className={classes.icon} size={18} aria-hidden />
      <span className={classes.texts}>
        {denials ? (
          <Anchor component={PortalLink} to={denials} inherit className={classes.text}>
            {text}
          </Anchor>
        ) : (
          <span className={classes.text}>{text}</span>
        )}
        <span className={classes.reason}>{reason}</span>
      </span>
      <span className={classes.actions}>
        <MatterAction matter={matter} today={today} />
        <HideMenu matter={matter} text={text} today={today} />
      </span>
    </li>
  )
}

/** Follows the last named matter of a kind, if there are more of it than are named. */
function MoreLine({ matter: { kind, ...last }, count, today }: LineProps & { count: number }) {
  if (count === 0) return null
  const all = denialsOf({ kind, subject: '', user: '' }, today) ?? `/${MATTER_SCREENS[kind]}`
  return (
    <li className={`${classes.line} ${classes.more}`}>
      <span className={classes.texts}>
        <span className={classes.reason}>and {countText(count)} more</span>
      </span>
      <span className={classes.actions}>
        <LinkButton to={all} label={`Show all like ${matterTexts({ kind, ...last }).text}`}>
          Show
        </LinkButton>
      </span>
    </li>
  )
}

function MatterAction({ matter, today }: LineProps): ReactNode {
  const { kind, subject, server, user, users, count } = matter
  const mayOrder = useCan('fsa.order')
  switch (kind) {
    case 'LEASES_END':
      return (
        <ActionButton action={RENEW_ALL} thing={{ days: ENDS_SOON, today }} size="compact-sm">
          Renew
        </ActionButton>
      )
    case 'FILES_OUT_OF_DATE':
      return (
        <ActionButton action={REGENERATE_ALL} thing={undefined} size="compact-sm">
          {count === 1 ? 'Regenerate' : REGENERATE_ALL.button}
        </ActionButton>
      )
    case 'ADDRESS_DENIED':
      return <AllowAddress denied={{ server, subject }} isMain />
    case 'USER_DENIED':
      return <AddUsername denied={{ server, subject }} isMain />
    case 'ADDRESS_LOCKED':
      return <ResetPinLock denied={{ server, subject }} isMain />
    case 'UNITS_USED_UP':
    case 'UNITS_ENDED':
    case 'UNITS_RUN_OUT':
    case 'ELASTIC_ENDS':
      // A spending account sells seats for license servers, neither units nor web licenses.
      return <Ask about="elastic units" isMain />
    case 'CHECKOUT_DENIED':
    case 'CHECKOUT_UNASSIGNED':
    case 'CHECKOUT_EXPIRED':
      return (
        <CheckoutFix
          reason={CHECKOUT_REASONS[kind]}
          product={subject}
          user={user}
          users={users}
          denials={`${countText(count)} in the last 7 days, of ${countOf(users, 'user')}`}
          isMain
        />
      )
    case 'REQUESTS_WAIT':
      return <LinkButton to="/requests">Decide</LinkButton>
    case 'WEB_LICENSES_END':
      return (
        <>
          <LinkButton to={endingWithin('webLicenses', ENDS_SOON)}>Show</LinkButton>
          <Ask about="a renewal of web licenses" isMain />
        </>
      )
    case 'CONTRACTS_END':
      return (
        <>
          <LinkButton to={endingWithin('contracts', ENDS_SOON)}>Show</LinkButton>
          {mayOrder && <LinkButton to="/entitlementsFSA?tab=order">Order</LinkButton>}
        </>
      )
    case 'SERVERS_SILENT':
      return <LinkButton to="/license-use">Show</LinkButton>
    case 'MAINTENANCE_ENDED':
      return <LinkButton to={maintenanceEnded()}>Show</LinkButton>
    case 'EMAILS_UNDELIVERED':
      return <LinkButton to={undeliveredEmails()}>Show</LinkButton>
    case 'PRODUCT_DENIED':
    case 'SEATS_DENIED':
    case 'PIN_DENIED':
      return <LinkButton to={denialsOf(matter, today) ?? ''}>Show</LinkButton>
  }
}

const CHECKOUT_REASONS = {
  CHECKOUT_DENIED: 'NO_SEAT',
  CHECKOUT_UNASSIGNED: 'USER_NOT_ASSIGNED',
  CHECKOUT_EXPIRED: 'ENTITLEMENT_EXPIRED',
} as const

function LinkButton({ to, label, children }: { to: string; label?: string; children: ReactNode }) {
  return (
    <Button size="compact-sm" variant="default" component={PortalLink} to={to} aria-label={label}>
      {children}
    </Button>
  )
}

type Hide = { key: string; until?: CalendarDay }

function useHide() {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries({ queryKey: ['home'] })
  const { save: show } = useSave({
    send: (key: string, idempotencyKey) => call('home/show', { body: { customerNumber: number, key }, idempotencyKey }),
    success: () => undefined,
    onSaved: reload,
  })
  const { save: hide } = useSave({
    send: (input: Hide, idempotencyKey) =>
      call('home/hide', { body: { customerNumber: number, ...input }, idempotencyKey }).then(() => input),
    success: ({ until }) => (until ? `Snoozed until ${dayText(until)}.` : 'Marked as done.'),
    onSaved: reload,
    undo: (_, { key }) => show(key),
  })
  return { hide, show }
}

function HideMenu({ matter: { key }, text, today }: { matter: HomeMatter; text: string; today: CalendarDay }) {
  const { hide } = useHide()
  const [isAsking, setIsAsking] = useState(false)
  const days = [
    ['Snooze until tomorrow', 1],
    ['Snooze for a week', 7],
    ['Snooze for a month', 30],
  ] as const
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Hide: ${text}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => hide({ key })}>Mark as done</Menu.Item>
          {days.map(([label, count]) => (
            <Menu.Item key={label} onClick={() => hide({ key, until: addDays(today, count) })}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setIsAsking(true)}>Snooze until…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsking && (
        <PutOffDialog
          text={text}
          today={today}
          onClose={() => setIsAsking(false)}
          onChoose={(until) => {
            setIsAsking(false)
            hide({ key, until })
          }}
        />
      )}
    </>
  )
}

type PutOffProps = { text: string; today: CalendarDay; onClose(): void; onChoose(until: CalendarDay): void }

function PutOffDialog({ text, today, onClose, onChoose }: PutOffProps) {
  const [day, setDay] = useState(addDays(today, 7))
  const isLater = isCalendarDay(day) && day > today
  return (
    <Dialog onClose={onClose} title="Snooze">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isLater) onChoose(day)
        }}
      >
        <TextInput
          type="date"
          label={`${text}: show it again on`}
          min={addDays(today, 1)}
          value={day}
          error={isLater ? undefined : 'Choose a day after today.'}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setDay(value)}
        />
        <Button type="submit" mt="md" disabled={!isLater}>
          Snooze
        </Button>
      </form>
    </Dialog>
  )
}

function HiddenLine({ matter }: { matter: HiddenHomeMatter }) {
  const { show } = useHide()
  const { text } = matterTexts(matter)
  return (
    <li className={classes.line}>
      <span className={classes.texts}>
        <span className={classes.text}>{text}</span>
        <span className={classes.reason}>
          {matter.until === null
            ? `Marked as done. It returns if it happens again, or if it still waits after ${doneDays(matter.kind)} days.`
            : `Snoozed until ${dayText(matter.until)}.`}
        </span>
      </span>
      <Button size="compact-sm" variant="default" aria-label={`Show again: ${text}`} onClick={() => show(matter.key)}>
        Show again
      </Button>
    </li>
  )
}
