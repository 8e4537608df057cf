import { Anchor } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { AUDIT_COLUMNS, type AuditRow, auditList } from '#contract/audit/audit.ts'
import { ACTOR_KINDS, OUTCOMES } from '#domain/audit/audit-line.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { countText } from '#web/lib/format.ts'
import { targetPath } from '#web/modules/audit/target-path.ts'
import { VALUES } from '#web/table/columns/column.ts'
import { listColumns } from '#web/table/columns/list-columns.ts'
import { idText } from '#web/ui/id.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './audit.module.css'

export const SEALING = 'Being sealed'

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Ids are cut in the middle, names and addresses of people at the end. */
const targetText = (target: string | null) => (target && /^[\w=-]+$/.test(target) ? idText(target) : target)

/** A person comes through the sign-in provider of an account, a program with a token or key. */
const withWhat = ({ actorKind }: AuditRow) => (actorKind === 'person' ? 'Through the' : `With ${actorKind}`)

const DECLARED = listColumns<AuditRow, (typeof AUDIT_COLUMNS)[number][0]>(auditList, AUDIT_COLUMNS, {
  sequence: {
    width: 90,
    text: (row) => (row.sequence === null ? SEALING : countText(row.sequence)),
    cell: (row) =>
      row.sequence === null ? <span className={classes.sealing}>{SEALING}</span> : countText(row.sequence),
  },
  time: { isSticky: true, phone: 'second line' },
  actor: {
    width: 224,
    phone: 'second line',
    cell: (row) =>
      row.credential === null ? (
        row.actor
      ) : (
        <Tooltip label={`${withWhat(row)} ${row.credential}`}>
          <span>
            <IconKey
              className={classes.withKey}
              size={14}
              role="img"
              aria-label={row.actorKind === 'person' ? `${withWhat(row)} ${row.credential}` : withWhat(row)}
            />{' '}
            {row.actor}
          </span>
        </Tooltip>
      ),
  },
  actorKind: {
    width: 110,
    filter: { ...VALUES, hasValues: ACTOR_KINDS, valueText: capitalized },
    isHidden: true,
    text: (row) => capitalized(row.actorKind),
  },
  credential: { width: 220, isHidden: true },
  text: {
    width: 340,
    flexible: { min: 200 },
    filter: 'text',
    phone: 'first line',
  },
  target: {
    filter: 'text',
    cell: (row) => {
      const to = targetPath(row)
      return to ? (
        <Anchor inherit component={PortalLink} to={to}>
          {targetText(row.target)}
        </Anchor>
      ) : (
        targetText(row.target)
      )
    },
  },
  outcome: {
    width: 84,
    filter: { ...VALUES, hasValues: OUTCOMES, valueText: capitalized },
    text: (row) => capitalized(row.outcome),
    cell: (row) => (
      <span data-outcome={row.outcome} className={classes.outcome}>
        {capitalized(row.outcome)}
      </span>
    ),
  },
  address: { width: 130, isHidden: true },
  program: { width: 200, filter: 'text', isHidden: true },
  action: { width: 180, isHidden: true },
  hash: { width: 144, kind: 'id', filter: 'text', isHidden: true },
})

/** The place in the chain stands after what people look for first. */
const ORDER: readonly string[] = ['time', 'actor', 'text', 'target', 'outcome', 'sequence']
const placeOf = (id: string) => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length)

export const COLUMNS = DECLARED.toSorted((one, other) => placeOf(one.id) - placeOf(other.id))
