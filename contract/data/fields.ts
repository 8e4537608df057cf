import { type TSchema, Type } from 'typebox'

/**
 * Parts that the fields of records share. Each field has a description and an example; optional ones have a default.
 */
export type About<T> = { readonly description: string; readonly examples: readonly [T, ...T[]]; readonly default?: T }

const CUSTOMER_NUMBER = '^[A-Za-z0-9-]{1,20}$'
const PART_NUMBER = '^[A-Za-z0-9._-]{1,40}$'
const MAX_TEXT = 300

export const customerNumber = (description: string) =>
  Type.String({ pattern: CUSTOMER_NUMBER, description, examples: ['900001'] })

export const partNumber = Type.String({
  pattern: PART_NUMBER,
  description: 'The vendor’s part number',
  examples: ['EXA0010110'],
})

const PLAIN = '[^\\u0000-\\u001f\\u007f]*'

/**
 * A text without control characters, which would hide what follows on screens and in files. What must not be empty must not
 * be blank.
 */
export const text = (about: About<string>, { minLength = 0, maxLength = MAX_TEXT } = {}) =>
  Type.String({
    pattern: minLength > 0 ? `^(?=.*\\S)${PLAIN}$` : `^${PLAIN}$`,
    minLength,
    maxLength,
    ...options(about),
  })

export const required = { minLength: 1 }

export const email = (about: About<string>) => Type.String({ minLength: 3, maxLength: 254, ...options(about) })

export const oneOf = <const T extends string>(values: readonly T[], about: About<T>) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options(about) })

export const flag = (about: About<boolean>) => Type.Boolean(options(about))

export const whole = (about: About<number>, limits: { minimum: number; maximum: number }) =>
  Type.Integer({ ...limits, ...options(about) })

/** An exact decimal as text, never negative, with at most `places` digits after the point. */
export const decimal = (places: number, about: About<string>) =>
  Type.String({ pattern: `^[0-9]{1,${places === 4 ? 8 : 12}}([.][0-9]{1,${places}})?$`, ...options(about) })

/** The calendar has no year 0. */
export const day = (about: About<string>) =>
  Type.String({ format: 'date', pattern: '^(?!0000)[0-9]{4}-', ...options(about) })

/** Leap seconds are not kept. */
export const instant = (about: About<string>) =>
  Type.String({
    format: 'date-time',
    pattern: '^(?!0000)[0-9]{4}-.*:[0-5][0-9]([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$',
    maxLength: 40,
    ...options(about),
  })

/** The value, or null for none. */
export const orNull = <S extends TSchema>(schema: S) => {
  const { description, examples } = schema as { description?: string; examples?: readonly unknown[] }
  return Type.Union([schema, Type.Null()], { description, examples, default: null })
}

const CURRENCY = {
  pattern: '^[A-Z]{3}$',
  description: 'Three letters; AEU for elastic units',
  examples: ['USD'],
}
export const currency = Type.String(CURRENCY)
export const currencyOrDollars = Type.String({ ...CURRENCY, default: 'USD' })

export const rateTableVersion = (about: About<string>) =>
  Type.String({ pattern: `^[A-Za-z0-9._-]{${about.default === '' ? 0 : 1},40}$`, ...options(about) })

/** Optional: see RecordKind for the meaning of a missing field. */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)

function options<T>({ description, examples, default: value }: About<T>) {
  return { description, examples: [...examples], ...(value === undefined ? {} : { default: value }) }
}
