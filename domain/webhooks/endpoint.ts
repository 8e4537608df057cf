import { isEventType } from '#domain/webhooks/event-types.ts'

export const MAX_ENDPOINTS = 10
const MAX_URL = 500
export const MAX_DESCRIPTION = 200

/** The former secret still signs for this long after a new one was made. */
export const ROTATION_HOURS = 24

/** Deliveries older than this are deleted, so this is how far back events can be sent again. */
export const KEPT_DAYS = 30

export const URL_REQUIRED = 'Enter the URL of the endpoint.'
export const URL_WRONG = 'Enter a complete URL, such as https://hooks.example.com/licensing.'
export const URL_TOO_LONG = `The URL can have at most ${MAX_URL} characters.`
export const URL_NOT_HTTPS = 'The URL must begin with https://.'
export const URL_CREDENTIALS = 'The URL must not have a username or password. Every delivery is signed instead.'
export const URL_FRAGMENT = 'The URL must not have a part after #.'
export const URL_NOT_PUBLIC = 'This address is not public. Ask the operator of the portal to allow it.'
export const EVENTS_REQUIRED = 'Choose at least one event.'

/** Why a text cannot be the URL of an endpoint, as far as the text alone tells; undefined if it can. */
export function typedUrlError(text: string): string | undefined {
  const typed = text.trim()
  if (typed === '') return URL_REQUIRED
  if (typed.length > MAX_URL) return URL_TOO_LONG
  if (!/^https?:[/][/]/i.test(typed) || !URL.canParse(typed)) return URL_WRONG
  const { username, password, hash } = new URL(typed)
  if (username !== '' || password !== '') return URL_CREDENTIALS
  return hash === '' ? undefined : URL_FRAGMENT
}

export function eventsError(events: readonly string[]): string | undefined {
  if (events.length === 0) return EVENTS_REQUIRED
  const unknown = events.find((one) => !isEventType(one))
  return unknown === undefined ? undefined : `There is no event ${unknown}.`
}

/** The form in which a URL is stored and compared. */
export const tidiedUrl = (text: string): string => new URL(text.trim()).href
