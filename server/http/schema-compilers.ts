import buildAjv, { type Ajv } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { answerSchema } from '#contract/kit/answer.ts'
import type { Operation } from '#contract/kit/operation.ts'
import { PLAIN_TEXT } from '#contract/kit/plain-text.ts'
import { isOnCalendar } from '#domain/calendar/calendar-day.ts'
import { type PlainTextForm, toPlainText } from '#domain/plain-text.ts'

type Controller = NonNullable<FastifyServerOptions['schemaController']>
type BuildValidator = ReturnType<typeof buildAjv>
type Validate = ReturnType<ReturnType<BuildValidator>>
type Serialize = ReturnType<ReturnType<ReturnType<typeof SerializerSelector>>>

/**
 * Functions that are compiled when they are first called: a portal has a thousand schemas, and compiling them all took a third of
 * its start. Once per process: most operations answer errors of the same schema, and tests build the portal many times. An
 * object that was seen before is found without its text.
 */
class Compiled<F> {
  readonly #byObject = new WeakMap<object, F>()
  readonly #byText = new Map<string, F>()
  readonly #callFirst: (compiled: () => F) => F

  constructor(callFirst: (compiled: () => F) => F) {
    this.#callFirst = callFirst
  }

  get(schema: object, compile: () => F): F {
    const known = this.#byObject.get(schema)
    if (known) return known
    let compiled: F | undefined
    const lazy = this.#callFirst(() => {
      compiled ??= this.#byContent(schema, compile)
      return compiled
    })
    this.#byObject.set(schema, lazy)
    return lazy
  }

  #byContent(schema: object, compile: () => F): F {
    const text = JSON.stringify(schema)
    const compiled = this.#byText.get(text) ?? compile()
    this.#byText.set(text, compiled)
    return compiled
  }
}

/** Fastify finds the errors of a call at the function that it has called. */
function lazyValidator(compiled: () => Validate): Validate {
  const validate = (data: unknown) => {
    const compiledValidate = compiled()
    const result = compiledValidate(data)
    lazy.errors = compiledValidate.errors ?? null
    return result
  }
  const lazy = validate as Validate
  return lazy
}

const bodyValidators = new Compiled<Validate>(lazyValidator)
const otherValidators = new Compiled<Validate>(lazyValidator)
const serializers = new Compiled<Serialize>((compiled) => (data) => compiled()(data))
const answers = new WeakMap<Operation, TSchema>()

/** The schema of an operation's answers, one object per operation: its serializer is found by it. */
export function answerOf(operation: Operation): TSchema {
  const known = answers.get(operation) ?? answerSchema(operation.data, operation.extraFields)
  answers.set(operation, known)
  return known
}

type Place = { parentData: Record<string | number, unknown>; parentDataProperty: string | number }

/** Normalizes typed texts while a body is validated, so that no use case can forget it. */
const plainText = {
  keyword: PLAIN_TEXT,
  modifying: true,
  errors: false,
  validate(form: PlainTextForm, text: unknown, _schema: unknown, { parentData, parentDataProperty }: Place) {
    if (typeof text === 'string' && typeof parentData === 'object')
      parentData[parentDataProperty] = toPlainText(text, form)
    return true
  },
}

/** Narrows date-time to instants that every reader can use: no year 10000 after the offset, and no leap second. */
function requireCalendarDays(ajv: Ajv): void {
  const known = ajv.formats['date-time'] as { validate(text: string): boolean }
  ajv.addFormat('date-time', {
    ...known,
    validate: (text: string) => known.validate(text) && isOnCalendar(Date.parse(text)),
  })
}

/**
 * Fastify's own validator drops unknown fields and turns "1" into 1. Here, bodies are validated without any conversion.
 * Paths and queries are always texts, so they are converted.
 */
export const schemaController: Controller = {
  compilersFactory: {
    buildValidator: (externalSchemas: Parameters<BuildValidator>[0], options: object | undefined) => {
      const make = (coerceTypes: boolean | 'array') =>
        buildAjv()(externalSchemas, {
          ...options,
          customOptions: {
            removeAdditional: false,
            coerceTypes,
            useDefaults: true,
            allErrors: false,
            keywords: [plainText],
          },
          onCreate: requireCalendarDays,
        } as Parameters<BuildValidator>[1])
      // Made when there is a schema that this process has not compiled yet.
      const validator = (coerceTypes: boolean | 'array') => {
        let made: ReturnType<BuildValidator> | undefined
        return (route: never) => {
          made ??= make(coerceTypes)
          return made(route)
        }
      }
      const strict = validator(false)
      const converting = validator('array')
      // Fastify hands over the route's definition, of which the types only know the schema.
      const compile = (route: { httpPart?: string; schema: object }) =>
        route.httpPart === 'body'
          ? bodyValidators.get(route.schema, () => strict(route as never))
          : otherValidators.get(route.schema, () => converting(route as never))
      return compile as ReturnType<BuildValidator>
    },
    buildSerializer: (externalSchemas, options) => {
      const compile = SerializerSelector()(externalSchemas, options)
      return (route: Parameters<typeof compile>[0]) => serializers.get(route.schema as object, () => compile(route))
    },
  },
}
