import { Anchor, Button, Collapse, Paper, Text, Title, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import type { AccountHome, HiddenHomeMatter, HomeMatter } from '#contract/home/account-home.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { doneDays, type MatterGroup, matterGroups, signalOf } from '#domain/home/work-list.ts'
import { HideMenu, useHide } from '#web/app/home/hide-menu.tsx'
import { rowsOf } from '#web/app/home/home-links.ts'
import { GroupAction, MatterAction } from '#web/app/home/matter-action.tsx'
import { dayText, groupTexts, MATTER_SCREENS, matterTexts } from '#web/app/home/matter-texts.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { countOf, countText } from '#web/lib/format.ts'
import homeClasses from './home.module.css'
import classes from './work-list.module.css'

type Props = { home: AccountHome; screens: ReadonlySet<string> }

/** As many groups as fit beside the balances in a window of 900 pixels. */
const SHOWN = 8

/** What should be done on the account, the most harmful first: one line and one act for each cause. */
export function WorkList({ home, screens }: Props) {
  const [isAllShown, setIsAllShown] = useState(false)
  const [isHiddenShown, setIsHiddenShown] = useState(false)
  const isSeen = ({ kind }: HomeMatter) => screens.has(MATTER_SCREENS[kind])
  const groups = matterGroups(home.matters.filter(isSeen), home.moreMatters)
  const hidden = home.hiddenMatters.filter(isSeen)
  const common = { today: home.today, screens }
  return (
    <Paper p="1rem" component="section" aria-labelledby="work-list" className={homeClasses.todo}>
      <Title order={2} id="work-list" mb="0.25rem">
        To do
      </Title>
      {groups.length === 0 && (
        <Text c="dimmed" role="status">
          {hidden.length > 0 ? 'All done.' : 'Nothing needs your attention on this account today.'}
        </Text>
      )}
      <ul className={classes.list} aria-label="To do">
        {groups
          .slice(0, isAllShown ? groups.length : SHOWN)
          .map((group) =>
            group.matters.length + group.more > 1 ? (
              <Group key={group.key} group={group} {...common} />
            ) : (
              <Line key={group.matters[0].key} matter={group.matters[0]} {...common} />
            ),
          )}
      </ul>
      <div className={classes.foot}>
        {groups.length > SHOWN && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isAllShown}
            onClick={() => setIsAllShown(!isAllShown)}
          >
            {isAllShown ? 'Show fewer' : `Show all ${countText(groups.length)}`}
          </Button>
        )}
        {hidden.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isHiddenShown}
            onClick={() => setIsHiddenShown(!isHiddenShown)}
          >
            {isHiddenShown ? 'Hide what is done or snoozed' : `${countOf(hidden.length, 'matter')} done or snoozed`}
          </Button>
        )}
      </div>
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

type Common = { today: CalendarDay; screens: ReadonlySet<string> }

/** Matters of one cause: its act, and the single lines below it on demand. */
function Group({ group, ...common }: Common & { group: MatterGroup<HomeMatter> }) {
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const { text, reason } = groupTexts(group)
  const [{ kind }] = group.matters
  return (
    <li>
      <div className={classes.line} data-signal={signalOf(group.matters[0], common.today)}>
        <i className={homeClasses.dot} aria-hidden />
        <UnstyledButton
          className={classes.texts}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className={classes.text}>
            {text}
            <IconChevronDown size={14} aria-hidden className={classes.chevron} />
          </span>
          <span className={classes.reason}>{reason}</span>
        </UnstyledButton>
        <span className={classes.actions}>
          <GroupAction group={group} {...common} />
        </span>
      </div>
      <Collapse expanded={isOpen} id={listId}>
        <ul className={classes.inner} aria-label={text}>
          {isOpen && group.matters.map((matter) => <Line key={matter.key} matter={matter} {...common} />)}
          {isOpen && group.more > 0 && (
            <li className={classes.line}>
              <Anchor
                component={PortalLink}
                to={rowsOf({ kind, subject: '', user: '' }, common.today) ?? `/${MATTER_SCREENS[kind]}`}
                inherit
              >
                and {countText(group.more)} more
              </Anchor>
            </li>
          )}
        </ul>
      </Collapse>
    </li>
  )
}

function Line({ matter, ...common }: Common & { matter: HomeMatter }) {
  const { text, reason } = matterTexts(matter)
  const rows = rowsOf(matter, common.today)
  return (
    <li className={classes.line} data-signal={signalOf(matter, common.today)}>
      <i className={homeClasses.dot} aria-hidden />
      <Texts
        text={
          rows ? (
            <Anchor component={PortalLink} to={rows} inherit c="inherit">
              {text}
            </Anchor>
          ) : (
            text
          )
        }
        reason={reason}
      />
      <span className={classes.actions}>
        <MatterAction matter={matter} {...common} />
        <HideMenu matter={matter} text={text} today={common.today} />
      </span>
    </li>
  )
}

function Texts({ text, reason }: { text: ReactNode; reason: string }) {
  return (
    <span className={classes.texts}>
      <span className={classes.text}>{text}</span>
      <span className={classes.reason}>{reason}</span>
    </span>
  )
}

function HiddenLine({ matter }: { matter: HiddenHomeMatter }) {
  const { show } = useHide()
  const { text } = matterTexts(matter)
  return (
    <li className={classes.line}>
      <Texts
        text={text}
        reason={
          matter.until === null
            ? `Marked as done. It returns if it happens again, or if it still waits after ${doneDays(matter.kind)} days.`
            : `Snoozed until ${dayText(matter.until)}.`
        }
      />
      <Button size="compact-sm" variant="default" aria-label={`Show again: ${text}`} onClick={() => show(matter.key)}>
        Show again
      </Button>
    </li>
  )
}
