import { placementOf } from '#server/scale-out/placement.ts'

/** A node of a plan as PostgreSQL describes it, as far as it is read here. */
export type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Schema?: string
  readonly Alias?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

/**
 * Customers' tables that a statement reads, changes or deletes from without naming one customer. What counts is the plan of the
 * statement: Citus sends it to one node exactly if every scan there has the condition "customer number = constant", be it
 * written or derived from a join, and the constant is the same everywhere. (Tried: a correlated subquery that takes the number
 * from the row outside goes to every node, and so does a list of numbers that is joined.)
 */
export function unnamedTables(plan: PlanNode, tableOf: (relation: string) => string): string[] {
  const customers = new Set<string>()
  const unnamed = new Set<string>()
  for (const scan of scansOf(plan)) {
    const table = tableOf(scan['Relation Name'] ?? '')
    if (placementOf(table) !== 'customer' || scan.Schema !== 'public') continue
    const customer = customerOf(scan)
    if (customer === undefined) unnamed.add(table)
    else customers.add(customer)
  }
  if (customers.size > 1) unnamed.add(`several customers: ${[...customers].sort().join(', ')}`)
  return [...unnamed].sort()
}

function scansOf(node: PlanNode): PlanNode[] {
  const below = (node.Plans ?? []).flatMap(scansOf)
  return node['Relation Name'] && node['Node Type'] !== 'ModifyTable' ? [node, ...below] : below
}

/** The value in "alias.customer_number = 'value'", if that is one of the conditions which all must hold. */
function customerOf(scan: PlanNode): string | undefined {
  const conditions = [scan['Index Cond'], scan['Recheck Cond'], scan.Filter].flatMap((text) => conjuncts(text ?? ''))
  const named = new RegExp(`^"?${scan.Alias}"?[.]customer_number = '([^']*)'::text( COLLATE "C")?$`)
  return conditions.map((condition) => named.exec(condition)?.[1]).find((value) => value !== undefined)
}

/** The parts of "((a) AND (b OR c) AND (d))" without their parentheses: a, b OR c, d. */
function conjuncts(text: string): string[] {
  const parts: string[] = []
  const inner = text.replace(/^[(](.*)[)]$/s, '$1')
  let [depth, isQuoted, from] = [0, false, 0]
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === "'") isQuoted = !isQuoted
    if (isQuoted) continue
    if (inner[at] === '(') depth++
    if (inner[at] === ')') depth--
    if (depth === 0 && inner.startsWith(' AND ', at)) {
      parts.push(inner.slice(from, at))
      from = at + ' AND '.length
    }
  }
  return [...parts, inner.slice(from)].map((part) => part.replace(/^[(](.*)[)]$/s, '$1'))
}
