import {
  type AlertDraft,
  alertErrors,
  DATE_REQUIRED,
  DESCRIPTION_REQUIRED,
  EXPIRES_TOO_EARLY,
  LINK_ADDRESS_INVALID,
  LINK_MISLEADING,
  LINK_TEXT_REQUIRED,
  SERVICE_REQUIRED,
  YEAR_OUT_OF_RANGE,
} from '#domain/messages/alert-draft.ts'
import { ALERT_LABELS, type AlertStatus } from '#domain/messages/alerts.ts'
import type { Errors, Fields } from '#web/form/fields.ts'
import { isInstant, TIME_FORM } from '#web/form/typed-instant.ts'
import { minuteText } from '#web/lib/format.ts'
import { serverTime } from '#web/lib/server-time.ts'
import type { AlertRecord } from '#web/modules/messages/alerts.api.ts'

const timeOrTyped = (value: string) => (isInstant(value) ? minuteText(value) : value)

export const ALERT_FIELDS: Fields<AlertDraft> = {
  category: { label: 'Category', text: (category) => ALERT_LABELS[category] },
  date: { label: 'Date', text: timeOrTyped },
  expires: { label: 'Expires', text: (expires) => (expires ? timeOrTyped(expires) : 'Never') },
  service: { label: 'Services', text: (names) => names.join(', ') },
  description: { label: 'Description' },
  links: {
    label: 'Links',
    newRow: { text: '', url: '' },
    text: (links) => links.map(({ text, url }) => `${text}: ${url}`).join('\n'),
  },
}

/** The part of an alert that its author writes. A new one starts at the current minute. */
export function alertDraft(alert: AlertRecord | undefined): AlertDraft {
  if (!alert) {
    const date = new Date(serverTime().setSeconds(0, 0)).toISOString()
    return { category: 'INFO', date, expires: null, description: '', service: [], links: [] }
  }
  const { category, date, expires, description, service, links } = alert
  return { category, date, expires, description, service, links }
}

/** The form keeps a typed text that is no time. */
function timeError(value: string | null): string | undefined {
  return value && !isInstant(value) ? TIME_FORM : undefined
}

/** The rules of the server, with each error at its field. */
export function alertFormErrors(draft: AlertDraft, status: AlertStatus): Errors {
  const found = new Set(alertErrors({ ...draft, links: [] }, status))
  const firstOf = (...errors: string[]) => errors.find((error) => found.has(error))
  return {
    date: timeError(draft.date) ?? firstOf(DATE_REQUIRED, YEAR_OUT_OF_RANGE),
    expires: timeError(draft.expires) ?? firstOf(EXPIRES_TOO_EARLY),
    service: firstOf(SERVICE_REQUIRED),
    description: firstOf(DESCRIPTION_REQUIRED),
    ...Object.fromEntries(
      draft.links.flatMap((link, index) => {
        const errors = alertErrors({ ...draft, links: [link] }, status)
        return [
          [`links.${index}.text`, errors.find((error) => error === LINK_TEXT_REQUIRED)],
          [`links.${index}.url`, errors.find((error) => error === LINK_ADDRESS_INVALID || error === LINK_MISLEADING)],
        ]
      }),
    ),
  }
}
