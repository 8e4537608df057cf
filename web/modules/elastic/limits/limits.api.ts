import { queryOptions } from '@tanstack/react-query'
import type { SavedLimits } from '#contract/elastic/limits/limits.ts'
import { readLimit, type TypedLimit, toTyped } from '#domain/elastic/limits/limit-errors.ts'
import type { ProductRuleKind } from '#domain/elastic/limits/product-rules.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { type Body, call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'

/** A row of the form: names are empty for everybody else. */
export type LimitRow = Omit<TypedLimit, 'user' | 'project' | 'product'> & {
  /** Empty for a new one. */
  readonly id: string
  readonly user: string
  readonly project: string
  readonly product: string
}
export type RuleRow = { readonly user: string; readonly kind: ProductRuleKind; readonly products: readonly string[] }
export type LimitValues = { readonly limits: readonly LimitRow[]; readonly productRules: readonly RuleRow[] }

export const limitsQuery = (customerNumber: string) =>
  queryOptions({ ...query('limits', { body: { customerNumber } }), ...FOR_A_FORM })

export const valuesOf = ({ limits, productRules }: Pick<SavedLimits, 'limits' | 'productRules'>): LimitValues => ({
  limits: limits.map((limit) => ({
    ...toTyped(limit),
    id: limit.id,
    user: limit.user ?? '',
    project: limit.project ?? '',
    product: limit.product ?? '',
  })),
  productRules: productRules.map((rule) => ({ ...rule, user: rule.user ?? '' })),
})

/** What the portal takes of the form. */
function toBody({ limits, productRules }: LimitValues): Pick<Body<'limits/save'>, 'limits' | 'productRules'> {
  return {
    limits: limits.map((row) => ({ ...readLimit(row), ...(row.id ? { id: row.id } : {}) })),
    productRules: productRules.map(({ user, kind, products }) => ({
      user: user.trim() || null,
      kind,
      products: [...products],
    })),
  }
}

export function saveLimits(customerNumber: string, values: LimitValues, revision: number, idempotencyKey: string) {
  return call('limits/save', { body: { customerNumber, ...toBody(values), revision }, idempotencyKey })
}

export const replayQuery = (customerNumber: string, values: LimitValues) =>
  query('limits/replay', { body: { customerNumber, ...toBody(values) } })
