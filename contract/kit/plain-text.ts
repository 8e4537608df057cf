import { Type } from 'typebox'
import type { PlainTextForm } from '#domain/plain-text.ts'

/** Marks texts that the server normalizes while it validates a body: `toPlainText` of the domain. */
export const PLAIN_TEXT = 'x-plain-text'

/** Requires at least one character that is not a blank, a control character or a change of direction. */
const VISIBLE = '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]'

type Options = { readonly isRequired?: true; readonly description?: string; readonly examples?: string[] }

function plainText(form: PlainTextForm, maxLength: number, { isRequired, ...options }: Options) {
  return Type.String({ maxLength, ...(isRequired ? { pattern: VISIBLE } : {}), ...options, [PLAIN_TEXT]: form })
}

/** One line that people type and others read, such as a name. */
export const PlainLine = (maxLength: number, options: Options = {}) => plainText('line', maxLength, options)

/** A longer text of people, such as a reason or a description. */
export const PlainLines = (maxLength: number, options: Options = {}) => plainText('lines', maxLength, options)
