import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { DraftLimit, saveLimits as operation } from '#contract/elastic/limits/limits.ts'
import { limitText } from '#domain/elastic/limits/limit.ts'
import { limitErrors, productRuleErrors, readLimit, toTyped } from '#domain/elastic/limits/limit-errors.ts'
import type { ProductRule } from '#domain/elastic/limits/product-rules.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import {
  type AccountLimits,
  editedLimits,
  loadLimits,
  type StoredLimit,
  saveLimits as save,
  saveProductRules,
} from '#server/modules/elastic/limits/limits.queries.ts'
import { lockLimits } from '#server/modules/elastic/limits/limits-lock.queries.ts'
import { countSave } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The limits of this account were changed by somebody else in the meantime.'

export async function saveLimits(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db, standing } = call
  const { customerNumber } = standing
  const limits = readLimits(body.limits)
  const productRules = readProductRules(body.productRules)
  await lockLimits(db, customerNumber)
  const current = await loadLimits(db, customerNumber)
  if (isSame(current, { limits, productRules })) return { data: current }
  const revision = await countSave(db, editedLimits(customerNumber), body.revision)
  if (revision === undefined) throw new ConflictError(CHANGED_MEANWHILE, { current, yours: { limits, productRules } })

  await save(db, customerNumber, { before: current.limits, after: limits })
  await saveProductRules(db, customerNumber, productRules)
  const saved = await loadLimits(db, customerNumber)
  await call.audit({ before: audited(current), after: audited(saved) })
  return { data: saved }
}

/** The stored form of limits, with ids for new ones. The first error in them is a 400 that names its line. */
export function readLimits(drafts: readonly DraftLimit[]): StoredLimit[] {
  const typed = drafts.map(toTyped)
  for (const [index, errors] of limitErrors(typed).entries()) {
    const [error] = Object.values(errors)
    if (error !== undefined) throw new HttpError(400, `Limit ${index + 1}: ${error}`)
  }
  const ids = drafts.map(({ id }) => id ?? randomUUID())
  if (new Set(ids).size < ids.length) throw new HttpError(400, 'Two limits have the same id.')
  return typed.map((one, index) => ({ id: ids[index] ?? '', ...readLimit(one) }))
}

export function readProductRules(rules: readonly ProductRule[]): AccountLimits['productRules'] {
  for (const [index, { user, products }] of productRuleErrors(rules).entries()) {
    const error = user ?? products
    if (error !== undefined) throw new HttpError(400, `Product rule ${index + 1}: ${error}`)
  }
  return rules.map(({ user, kind, products }) => ({ user, kind, products: [...new Set(products)] }))
}

const byId = <T extends { readonly id: string }>(rows: readonly T[]) =>
  [...rows].sort((one, other) => (one.id < other.id ? -1 : 1))
const byUser = (rules: readonly ProductRule[]) =>
  [...rules].sort((one, other) => ((one.user ?? '') < (other.user ?? '') ? -1 : 1))

const isSame = (one: Pick<AccountLimits, 'limits' | 'productRules'>, other: typeof one): boolean =>
  isDeepStrictEqual(byId(one.limits), byId(other.limits)) &&
  isDeepStrictEqual(byUser(one.productRules), byUser(other.productRules))

const audited = ({ limits, productRules }: AccountLimits) => ({
  texts: [...limits.map(limitText), ...productRules.map(ruleText)],
  limits,
  productRules,
})

const ruleText = ({ user, kind, products }: ProductRule) =>
  `${user === null ? 'Every other user' : `User ${user}`}: ${kind === 'allow' ? 'only' : 'not'} ${products.join(', ')}`
