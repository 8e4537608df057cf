import { Autocomplete, NativeSelect, Text, TextInput } from '@mantine/core'
import type { LimitUseRow, LoadedLimits } from '#contract/elastic/limits/limits.ts'
import { EXHAUSTION_WINDOW, exhaustionText } from '#domain/elastic/limits/exhaustion.ts'
import {
  isOfPeople,
  LIMIT_PERIODS,
  LIMIT_SUBJECTS,
  type LimitNames,
  type LimitSubject,
  PERIOD_LABELS,
  partsOf,
  SUBJECT_LABELS,
  type SubjectPart,
  subjectText,
  whoLabel,
} from '#domain/elastic/limits/limit.ts'
import { MAX_LIMIT_NAME, MAX_LIMITS } from '#domain/elastic/limits/limit-errors.ts'
import { formatDecimal, parseDecimal } from '#domain/money/decimal.ts'
import { FormRows } from '#web/form/form-rows.tsx'
import type { Row, Rows } from '#web/form/rows.ts'
import { countText } from '#web/lib/format.ts'
import type { LimitRow } from '#web/modules/elastic/limits/limits.api.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import classes from './limits.module.css'

const SUBJECTS = LIMIT_SUBJECTS.map((value) => ({ value, label: SUBJECT_LABELS[value] }))
const PERIODS = LIMIT_PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] }))
const PART_LABELS: Readonly<Record<SubjectPart, { readonly label: string; readonly others: string }>> = {
  user: { label: 'Username', others: 'Everybody else' },
  project: { label: 'Project', others: 'Every other project' },
  product: { label: 'Product', others: 'Every other product' },
}
function labelsOf(part: SubjectPart, subject: LimitSubject) {
  if (!isOfPeople(subject)) return PART_LABELS[part]
  const label = whoLabel(subject)
  return { label, others: `Every other ${label.toLowerCase()}` }
}

/** The names of a row as a limit has them. */
export function namedRow(row: LimitRow): LimitNames & Pick<LimitRow, 'subject'> {
  const name = (part: SubjectPart) => (partsOf(row.subject).includes(part) ? row[part].trim() || null : null)
  return { subject: row.subject, user: name('user'), project: name('project'), product: name('product') }
}

type Props = { rows: Rows<LimitRow>; loaded: LoadedLimits }

export function LimitRows({ rows, loaded }: Props) {
  const { use, products } = loaded
  const currencies = [...new Set([...loaded.currencies, ...rows.rows.map(({ value }) => value.currency)])]
  return (
    <FormRows
      rows={rows}
      label="Limits"
      add="Add Limit"
      none="There are no limits: only the balance ends what can be used."
      max={MAX_LIMITS}
      hasEdit
      nameOf={(row) => `the limit of ${subjectText(namedRow(row)).toLowerCase()}`}
      columns={[
        {
          label: 'For',
          text: (row) => subjectText(namedRow(row)),
          input: (row) => <SubjectInputs row={row} products={products} />,
        },
        {
          label: 'Refuse at',
          width: '11rem',
          text: ({ refuseAt, currency, period }) =>
            refuseAt ? `${unitsText(refuseAt)} ${currency} ${PERIOD_LABELS[period]}` : 'Never',
          input: (row) => (
            <span className={classes.stack}>
              <TextInput {...row.field('refuseAt')} aria-label="Refuse at" inputMode="decimal" maxLength={20} />
              <NativeSelect {...row.field('period')} aria-label="Period" data={PERIODS} />
              {currencies.length > 1 && (
                <NativeSelect {...row.field('currency')} aria-label="Currency" data={currencies} />
              )}
            </span>
          ),
        },
        {
          label: 'Warn at',
          width: '6rem',
          text: ({ warnAt }) => (warnAt ? unitsText(warnAt) : '—'),
          input: (row) => (
            <TextInput {...row.field('warnAt')} aria-label="Warn at" inputMode="decimal" maxLength={20} />
          ),
        },
        {
          label: 'From – To',
          width: '8.5rem',
          text: ({ from, to }) => (from || to ? `${from || '…'} – ${to || '…'}` : 'Always'),
          input: (row) => (
            <span className={classes.stack}>
              <TextInput {...row.field('from')} aria-label="From" placeholder="YYYY-MM-DD" maxLength={10} />
              <TextInput {...row.field('to')} aria-label="To" placeholder="YYYY-MM-DD" maxLength={10} />
            </span>
          ),
        },
        {
          label: 'Used',
          width: '16rem',
          text: (row) => <Used row={row} use={use[row.id]} />,
        },
      ]}
    />
  )
}

function SubjectInputs({ row, products }: { row: Row<LimitRow>; products: readonly string[] }) {
  const parts = partsOf(row.value.subject)
  const [first] = parts
  return (
    <span className={classes.stack}>
      <NativeSelect {...row.field('subject')} aria-label="Subject" data={SUBJECTS} />
      {parts.map((part) => {
        const { label, others } = labelsOf(part, row.value.subject)
        const { error, ...field } = row.field(part)
        const about = { 'aria-label': label, placeholder: others, maxLength: MAX_LIMIT_NAME, spellCheck: false }
        // The error of a limit that is there twice is kept at the user.
        const shown = error ?? (part === first ? row.field('user').error : undefined)
        return part === 'product' ? (
          <Autocomplete key={part} {...field} {...about} error={shown} data={[...products]} />
        ) : (
          <TextInput key={part} {...field} {...about} error={shown} />
        )
      })}
      {first === undefined && row.field('user').error && (
        <Text size="xs" c="red" role="alert">
          {row.field('user').error}
        </Text>
      )}
    </span>
  )
}

type UseProps = { use: LimitUseRow | undefined }

function Used({ row, use }: UseProps & { row: LimitRow }) {
  if (!use) return <span className={classes.note}>{row.id ? 'Not in force' : 'Shown after saving'}</span>
  const limit = parseDecimal(row.refuseAt || row.warnAt)
  const percent = limit ? Math.min(100, Math.max(0, (Number(use.used) / Number(limit)) * 100)) : 0
  const isWarned = row.warnAt !== '' && Number(use.used) >= Number(row.warnAt)
  const color = use.exhaustion.kind === 'used up' ? 'red' : isWarned ? 'orange' : 'green'
  return (
    <span className={classes.use}>
      <ProgressBar percent={percent} color={color} isStacked>
        {formatDecimal(use.used, 2)} of {limit ? formatDecimal(limit, 2) : '—'}
      </ProgressBar>
      {use.name && (
        <span className={classes.note}>
          {use.name}
          {use.others > 0 && `, and ${countText(use.others)} more with less`}
        </span>
      )}
      <span className={classes.note}>
        {use.since === null ? 'All use ever' : `Since ${use.since}`}
        {use.resets !== null && `, resets on ${use.resets}`}
      </span>
      <Outlook use={use} />
      {use.refused > 0 && (
        <span className={classes.note}>
          {countText(use.refused)} refused in {EXHAUSTION_WINDOW} days: {use.refusedUsers.join(', ')}
        </span>
      )}
    </span>
  )
}

/** When it is used up, if use goes on as lately. */
function Outlook({ use: { exhaustion } }: { use: LimitUseRow }) {
  if (exhaustion.kind === 'unknown') return null
  const text = exhaustionText(exhaustion as Parameters<typeof exhaustionText>[0])
  return <span className={classes.note}>{exhaustion.kind === 'on' ? `Used up on ${text}` : text}</span>
}

/** A typed amount may be wrong: then it is shown as it was typed. */
function unitsText(amount: string): string {
  const value = parseDecimal(amount)
  return value === undefined ? amount : formatDecimal(value, 2)
}
