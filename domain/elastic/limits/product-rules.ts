import { userKey } from '#domain/elastic/limits/limit.ts'

export const PRODUCT_RULE_KINDS = ['allow', 'deny'] as const
export type ProductRuleKind = (typeof PRODUCT_RULE_KINDS)[number]

/** Which products somebody may start. With `allow` only those of the list, with `deny` all others. */
export type ProductRule = {
  /** Null: everybody else. */
  readonly user: string | null
  readonly kind: ProductRuleKind
  readonly products: readonly string[]
}

/** The rule of a user, or else that of everybody else. */
function ruleOf<R extends ProductRule>(rules: readonly R[], user: string): R | undefined {
  const key = userKey(user)
  return (
    rules.find((rule) => rule.user !== null && userKey(rule.user) === key) ??
    rules.find(({ user: name }) => name === null)
  )
}

/** Without a rule, everybody may start every product. */
export function isProductAllowed(rules: readonly ProductRule[], user: string, product: string): boolean {
  const rule = ruleOf(rules, user)
  return rule === undefined || rule.products.includes(product) === (rule.kind === 'allow')
}

/** New products are on no list yet. */
export const PRODUCT_RULE_LABELS: Readonly<Record<ProductRuleKind, string>> = {
  allow: 'Only these products; new products are not allowed',
  deny: 'All products except these; new products are allowed',
}
