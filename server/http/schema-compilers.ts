import buildAjv from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import { PLAIN_TEXT } from '#contract/kit/plain-text.ts'
import { type PlainTextForm, toPlainText } from '#domain/plain-text.ts'

type Controller = NonNullable<FastifyServerOptions['schemaController']>
type BuildValidator = ReturnType<typeof buildAjv>
type Validate = ReturnType<ReturnType<BuildValidator>>
type Serialize = ReturnType<ReturnType<ReturnType<typeof SerializerSelector>>>

/** Compiled once per process: most operations answer errors of the same schema, and tests build the portal many times. */
const validators = new Map<string, Validate>()
const serializers = new Map<string, Serialize>()

function compiledOnce<F>(known: Map<string, F>, key: string, compile: () => F): F {
  const found = known.get(key) ?? compile()
  known.set(key, found)
  return found
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

/**
 * Fastify's own validator drops unknown fields and turns "1" into 1. Here, bodies are validated without any conversion.
 * Paths and queries are always texts, so they are converted.
 */
export const schemaController: Controller = {
  compilersFactory: {
    buildValidator: (externalSchemas: Parameters<BuildValidator>[0], options: object | undefined) => {
      const validator = (coerceTypes: boolean | 'array') =>
        buildAjv()(externalSchemas, {
          ...options,
          customOptions: {
            removeAdditional: false,
            coerceTypes,
            useDefaults: true,
            allErrors: false,
            keywords: [plainText],
          },
        } as Parameters<BuildValidator>[1])
      const strict = validator(false)
      const converting = validator('array')
      // Fastify hands over the route's definition, of which the types only know the schema.
      const compile = (route: { httpPart?: string; schema?: unknown }) => {
        const isBody = route.httpPart === 'body'
        return compiledOnce(validators, `${isBody} ${JSON.stringify(route.schema)}`, () =>
          (isBody ? strict : converting)(route as never),
        )
      }
      return compile as ReturnType<BuildValidator>
    },
    buildSerializer: (externalSchemas, options) => {
      const compile = SerializerSelector()(externalSchemas, options)
      return (route: Parameters<typeof compile>[0]) =>
        compiledOnce(serializers, JSON.stringify(route.schema), () => compile(route))
    },
  },
}
