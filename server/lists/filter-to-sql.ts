import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { casedLetters, caseVariants } from '#domain/filter/casefold.ts'
import type { FieldType } from '#domain/filter/fields.ts'
import type {
  Bound,
  Check,
  ParsedCriterion,
  ParsedElement,
  ParsedFilter,
  TextMatch,
} from '#domain/filter/parsed-filter.ts'
import { asText, ordered, present } from '#server/lists/column-forms.ts'
import { plainText } from '#server/lists/like-pattern.ts'
import type { ListField, ListFields } from '#server/lists/list-source.ts'

type Condition = RawBuilder<SqlBool>

/** Whether a range of instants is written so that an index can use it, or so that none does. */
export type Ranges = 'indexed' | 'unindexed'

/** The filter as a condition over the list's columns. Callers' values are bound, never part of the text. */
export function filterToSql(fields: ListFields, filter: ParsedFilter, ranges: Ranges = 'indexed'): Condition {
  if (filter.criteria.length === 0) return sql<SqlBool>`true`
  const { gathered, others } = gatherValues(filter)
  const parts = [
    ...others.map((element) =>
      'criteria' in element ? filterToSql(fields, element, ranges) : criterionToSql(fields, element, ranges),
    ),
    ...gathered.map((group) => criterionToSql(fields, group.criterion, ranges, group)),
  ]
  return sql<SqlBool>`(${sql.join(parts, filter.condition === 'ANY' ? sql` or ` : sql` and `)})`
}

/** A criterion that stands for a group compares with all its values at once. */
function criterionToSql(fields: ListFields, criterion: ParsedCriterion, ranges: Ranges, group?: Gathered): Condition {
  const field = fields[criterion.name]
  if (!field) throw new Error(`field ${criterion.name} was parsed but is not declared`)
  const column = sql.raw(`(${field.column})`)
  const condition =
    group && group.values.length > 1 ? groupToSql(group, field, column) : checkToSql(criterion, field, column, ranges)
  // A comparison with a missing value is null, not false: "is not true" makes its negation true.
  return criterion.not ? sql<SqlBool>`(${condition}) is not true` : condition
}

function checkToSql(
  { check, type }: ParsedCriterion,
  field: ListField,
  column: RawBuilder<unknown>,
  ranges: Ranges,
): Condition {
  switch (check.kind) {
    case 'defined':
      return field.missingIsInfinity ? sql`${column} < 'infinity'` : sql`${column} is not null`
    case 'truth':
      return sql`${column} = ${check.value}`
    case 'member':
      return sql`${column} @> array[${check.value}::text]`
    case 'text':
      return textToSql(check, asText(type, present(field, column)))
    case 'range':
      return rangeToSql(
        // Infinity lies beyond every bound.
        field.missingIsInfinity ? { ...check, orMissing: false } : check,
        (value) => boundTo(type, value),
        column,
        type === 'instant' ? ranges : 'indexed',
      )
  }
}

function groupToSql(
  { criterion: { check, type }, values, takes }: Gathered,
  field: ListField,
  column: RawBuilder<unknown>,
): Condition {
  if (check.kind !== 'text') return sql`${column} = any(${values}::${SQL_TYPES[type]}[])`
  const text = asText(type, present(field, column))
  const searched = check.casefold ? casefolded(text, values.join('')) : text
  return isPattern(check)
    ? sql`${searched} like ${sql.raw(takes)}(${values}::text[])`
    : sql`${searched} = any(${values}::text[])`
}

function textToSql(check: Check & { kind: 'text' }, text: Expression<unknown>): Condition {
  const searched = check.casefold ? casefolded(text, check.needle) : text
  return isPattern(check) ? sql`${searched} like ${patternOf(check)}` : sql`${searched} = ${check.needle}`
}

/**
 * Folds as `casefold` in domain does, as far as this folded search text can tell: `lower … collate "C"` folds A–Z on every
 * server alike, and of all other letters only those matter that the search text contains.
 */
function casefolded(text: Expression<unknown>, needle: string): RawBuilder<unknown> {
  const lower = sql`lower(${ordered('text', text)})`
  const letters = casedLetters(needle)
  if (letters.length === 0) return lower
  const from = letters.map(caseVariants).join('')
  const to = letters.map((letter) => letter.repeat(caseVariants(letter).length)).join('')
  return sql`translate(${lower}, ${from}, ${to})`
}

function rangeToSql(
  check: Check & { kind: 'range' },
  bind: (value: string) => RawBuilder<unknown>,
  column: RawBuilder<unknown>,
  ranges: Ranges,
): Condition {
  const { low, high, orMissing } = check
  // Infinity is beyond every bound, so this changes no result. But PostgreSQL then uses no index for the comparison, and
  // still prunes partitions by it.
  const or = (end: string) => (ranges === 'unindexed' ? sql` or ${column} = ${sql.lit(end)}` : sql``)
  const above = ({ value, included }: Bound) =>
    sql<SqlBool>`(${column} ${sql.raw(included ? '>=' : '>')} ${bind(value)}${or('infinity')})`
  const below = ({ value, included }: Bound) =>
    sql<SqlBool>`(${column} ${sql.raw(included ? '<=' : '<')} ${bind(value)}${or('-infinity')})`
  const point = singleValue(check)
  const ends =
    point !== undefined
      ? [sql`${column} = ${bind(point)}`]
      : [...(low ? [above(low)] : []), ...(high ? [below(high)] : [])]
  const within = ends.length > 0 ? sql<SqlBool>`(${sql.join(ends, sql` and `)})` : sql<SqlBool>`${column} is not null`
  return orMissing ? sql<SqlBool>`(${within} or ${column} is null)` : within
}

const SQL_TYPES: Partial<Record<FieldType, RawBuilder<unknown>>> = {
  number: sql`numeric`,
  instant: sql`timestamptz`,
  day: sql`date`,
}

const boundTo = (type: FieldType, value: string) => sql`${value}::${SQL_TYPES[type]}`

/** Criteria with the same method on one field, and all their values. */
export type Gathered = {
  readonly criterion: ParsedCriterion
  readonly values: readonly string[]
  /** Whether one of the values must match, or all of them. */
  readonly takes: 'any' | 'all'
}

/**
 * Criteria that can become one comparison with a list of values. Hundreds of ticked values would otherwise be compared one
 * by one with every row, and each would make the statement longer to plan.
 */
function gatherValues({ condition, criteria }: ParsedFilter): {
  readonly gathered: readonly Gathered[]
  readonly others: readonly ParsedElement[]
} {
  const groups = new Map<string, Gathered & { values: string[] }>()
  const others: ParsedElement[] = []
  for (const element of criteria) {
    const found = 'criteria' in element ? undefined : valueIn(element, condition)
    if (!found) {
      others.push(element)
      continue
    }
    const group = groups.get(found.key)
    if (group) group.values.push(found.value)
    else groups.set(found.key, { criterion: found.criterion, values: [found.value], takes: found.takes })
  }
  return { gathered: [...groups.values()], others }
}

function valueIn(criterion: ParsedCriterion, condition: ParsedFilter['condition']) {
  const { name, check, not } = criterion
  const takes = not === (condition === 'ALL') ? ('any' as const) : ('all' as const)
  const pattern = patternOf(check)
  // No value equals several values at once, so such a filter is not combined.
  const value = pattern ?? (takes === 'any' ? singleValue(check) : undefined)
  if (value === undefined) return undefined
  const isFolded = 'casefold' in check && check.casefold
  return { criterion, value, takes, key: `${takes} ${pattern !== undefined} ${check.kind} ${isFolded} ${name}` }
}

/** The value of a check for equality. */
function singleValue(check: Check): string | undefined {
  if (check.kind === 'text') return check.match === 'whole' ? check.needle : undefined
  if (check.kind !== 'range' || check.orMissing) return undefined
  const { low, high } = check
  return low?.included && high?.included && low.value === high.value ? low.value : undefined
}

type PatternCheck = Check & { kind: 'text'; match: Exclude<TextMatch, 'whole'> }

function isPattern(check: Check): check is PatternCheck {
  return check.kind === 'text' && check.match !== 'whole'
}

/** A pattern for `like` in which the search text has no wildcards. */
function patternOf(check: Check): string | undefined {
  if (!isPattern(check)) return undefined
  const plain = plainText(check.needle)
  return `${check.match === 'start' ? '' : '%'}${plain}${check.match === 'end' ? '' : '%'}`
}
