import type { AlertCategory, AlertLink, AlertStatus } from '#domain/messages/alerts.ts'

/** An alert as its author writes it: what the form holds, and what the server is sent. */
export type AlertDraft = {
  category: AlertCategory
  /** Instants, ISO 8601. */
  date: string
  expires: string | null
  description: string
  service: string[]
  links: AlertLink[]
}

export const DATE_REQUIRED = 'Date is required.'
export const YEAR_OUT_OF_RANGE = 'Dates must be in the years 1 to 9999.'
export const EXPIRES_TOO_EARLY = 'Expires must be after the date.'
export const DESCRIPTION_REQUIRED = 'Description is required.'
export const SERVICE_REQUIRED = 'At least one service is required.'
export const LINK_TEXT_REQUIRED = 'Link text is required.'
export const LINK_ADDRESS_INVALID = 'A link address must begin with https:// or http://.'
export const LINK_MISLEADING =
  'A link must not contain a user name, control characters or characters that change the direction of text.'

/**
 * What keeps the draft from being published, in the order of the form. What is resolved may have ended before it began:
 * maintenance that was planned and called off.
 */
export function alertErrors(
  { date, expires, description, service, links }: AlertDraft,
  status: AlertStatus = 'ACTIVE',
): string[] {
  const starts = Date.parse(date)
  const isTooEarly = expires !== null && !(Date.parse(expires) > starts)
  return [
    ...(Number.isNaN(starts) ? [DATE_REQUIRED] : []),
    ...([date, expires].some(isOutOfRange) ? [YEAR_OUT_OF_RANGE] : []),
    ...(isTooEarly && status === 'ACTIVE' ? [EXPIRES_TOO_EARLY] : []),
    ...(description.trim() === '' ? [DESCRIPTION_REQUIRED] : []),
    ...(service.length === 0 || service.some((name) => name.trim() === '') ? [SERVICE_REQUIRED] : []),
    ...(links.some((link) => link.text.trim() === '') ? [LINK_TEXT_REQUIRED] : []),
    ...(links.some((link) => !hasWebScheme(link.url)) ? [LINK_ADDRESS_INVALID] : []),
    ...(links.some(isMisleading) ? [LINK_MISLEADING] : []),
  ]
}

function isOutOfRange(instant: string | null): boolean {
  const year = new Date(instant ?? '').getUTCFullYear()
  return year < 1 || year > 9999
}

/** Nothing but the web: a `javascript:` address would run in the reader's session. */
function hasWebScheme(url: string): boolean {
  return /^https?:\/\//i.test(url) && parseAddress(url) !== undefined
}

/**
 * Detects links that look like another address: https://vendor.example@evil.example, or text that runs from right to
 * left.
 */
function isMisleading({ text, url }: AlertLink): boolean {
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(text.trim() + url.trim())) return true
  const [authority = ''] = url
    .trim()
    .replace(/^https?:\/\//i, '')
    .split(/[/?#\\]/, 1)
  return authority.includes('@')
}

/** Does not use `URL.canParse`, which accepts some addresses that cannot be parsed. */
function parseAddress(url: string): URL | undefined {
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}

/** A link that readers may follow. */
export const isSafeLink = (link: AlertLink): boolean => hasWebScheme(link.url) && !isMisleading(link)

/** The stored form: texts without surrounding blanks, every service once. */
export function tidied(draft: AlertDraft): AlertDraft {
  return {
    ...draft,
    date: new Date(draft.date).toISOString(),
    expires: draft.expires === null ? null : new Date(draft.expires).toISOString(),
    description: draft.description.trim(),
    service: [...new Set(draft.service.map((name) => name.trim()))],
    links: draft.links.map(({ text, url }) => ({ text: text.trim(), url: url.trim() })),
  }
}
