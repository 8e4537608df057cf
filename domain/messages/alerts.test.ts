import { describe, expect, test } from 'vitest'
import {
  type AlertDraft,
  alertErrors,
  DATE_REQUIRED,
  DESCRIPTION_REQUIRED,
  EXPIRES_TOO_EARLY,
  isSafeLink,
  LINK_ADDRESS_INVALID,
  LINK_MISLEADING,
  LINK_TEXT_REQUIRED,
  SERVICE_REQUIRED,
  tidied,
  YEAR_OUT_OF_RANGE,
} from '#domain/messages/alert-draft.ts'
import { type AlertStatus, isExpired, isInBanner, isResolved } from '#domain/messages/alerts.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()
const EXPIRIES = { none: null, past: inHours(-1), now: inHours(0), future: inHours(1) }

describe('an alert counts as resolved once it is RESOLVED and expired', () => {
  test.each([
    ['ACTIVE', 'none', { expired: false, resolved: false }],
    ['ACTIVE', 'past', { expired: true, resolved: false }],
    ['ACTIVE', 'now', { expired: true, resolved: false }],
    ['ACTIVE', 'future', { expired: false, resolved: false }],
    ['RESOLVED', 'none', { expired: false, resolved: false }],
    ['RESOLVED', 'past', { expired: true, resolved: true }],
    ['RESOLVED', 'now', { expired: true, resolved: true }],
    ['RESOLVED', 'future', { expired: false, resolved: false }],
  ] as const)('an alert that is %s with the expiry %s is %o', (status, expiry, expected) => {
    const alert = { status: status as AlertStatus, expires: EXPIRIES[expiry] }
    expect({ expired: isExpired(alert, now), resolved: isResolved(alert, now) }).toEqual(expected)
  })
})

describe('alerts in the banner', () => {
  test.each([
    ['an outage at once', 'CRITICAL', 'ACTIVE', 24 * 30, null, true],
    ['a degradation at once', 'WARNING', 'ACTIVE', 24 * 30, null, true],
    ['maintenance five days ahead', 'INFO', 'ACTIVE', 24 * 5, null, true],
    ['maintenance more than five days ahead', 'INFO', 'ACTIVE', 24 * 5 + 1, null, false],
    ['information more than five days ahead', 'OK', 'ACTIVE', 24 * 5 + 1, null, false],
    ['an expired outage', 'CRITICAL', 'ACTIVE', -2, inHours(-1), false],
    ['a resolved outage', 'CRITICAL', 'RESOLVED', -2, inHours(1), false],
  ] as const)('the banner shows %s: $5', (_, category, status, startsIn, expires, shown) => {
    expect(isInBanner({ category, status, date: inHours(startsIn), expires }, now)).toBe(shown)
  })
})

describe('alert drafts', () => {
  const draft: AlertDraft = {
    category: 'INFO',
    date: '2026-11-15T12:00:00.000Z',
    expires: null,
    description: 'Maintenance',
    service: ['Elastic Licensing'],
    links: [],
  }
  const link = (url: string, text = 'More') => ({ links: [{ text, url }] })

  test.each<[string, Partial<AlertDraft>, string[]]>([
    ['nothing', {}, []],
    ['a later expiry', { expires: '2026-11-15T12:00:01Z' }, []],
    ['an expiry at the date', { expires: '2026-11-15T12:00:00Z' }, [EXPIRES_TOO_EARLY]],
    ['an expiry that is no date', { expires: 'soon' }, [EXPIRES_TOO_EARLY]],
    ['no date', { date: '' }, [DATE_REQUIRED]],
    ['a date after the year 9999', { date: '9999-12-31T23:59:59-23:59' }, [YEAR_OUT_OF_RANGE]],
    ['a date before the year 1', { date: '0000-01-01T00:00:00Z' }, [YEAR_OUT_OF_RANGE]],
    ['an expiry after the year 9999', { expires: '9999-12-31T23:59:59-23:59' }, [YEAR_OUT_OF_RANGE]],
    ['blanks for a description', { description: ' \n' }, [DESCRIPTION_REQUIRED]],
    ['no service', { service: [] }, [SERVICE_REQUIRED]],
    ['an empty service', { service: ['Portal', ' '] }, [SERVICE_REQUIRED]],
    ['an https link', link('https://status.vendor.example/1'), []],
    ['a link without a text', link('https://status.vendor.example/1', ''), [LINK_TEXT_REQUIRED]],
    ['a script as link', link('javascript:alert(1)'), [LINK_ADDRESS_INVALID]],
    ['data as link', link('data:text/html,<script>alert(1)</script>'), [LINK_ADDRESS_INVALID]],
    ['half an address', link('https://'), [LINK_ADDRESS_INVALID]],
    ['a link with a user name', link('https://vendor.example@evil.example/'), [LINK_MISLEADING]],
    ['a link with an empty user name', link('https://@evil.example/'), [LINK_MISLEADING]],
    ['a link with a password', link('https://:secret@evil.example/'), [LINK_MISLEADING]],
    ['a link with a line break', link('https://vendor.example/\n.evil.example'), [LINK_MISLEADING]],
    ['a link that changes direction', link('https://vendor.example/\u202emoc.live'), [LINK_MISLEADING]],
    ['a link text that changes direction', link('https://vendor.example/', 'Read \u2067more'), [LINK_MISLEADING]],
    ['a link with an @ in its path', link('https://vendor.example/@status'), []],
    ['several errors', { description: '', service: [] }, [DESCRIPTION_REQUIRED, SERVICE_REQUIRED]],
  ])('a draft with %s has the errors $2', (_, change, errors) => {
    expect(alertErrors({ ...draft, ...change })).toEqual(errors)
  })

  test('a resolved alert may expire before its date', () => {
    const calledOff = { ...draft, expires: '2026-11-01T00:00:00Z' }
    expect(alertErrors(calledOff)).toEqual([EXPIRES_TOO_EARLY])
    expect(alertErrors(calledOff, 'RESOLVED')).toEqual([])
  })

  test('a draft is kept without blanks around its texts, and with every service once', () => {
    expect(
      tidied({
        ...draft,
        date: '2026-11-15T13:00:00+01:00',
        description: ' Down ',
        service: ['Portal ', 'Portal', 'Elastic'],
      }),
    ).toEqual({ ...draft, description: 'Down', service: ['Portal', 'Elastic'] })
  })

  test.each([
    ['https://status.vendor.example/', true],
    ['http://status.vendor.example/', true],
    ['javascript:alert(1)', false],
    [' JavaScript:alert(1)', false],
    ['data:text/html,<script>alert(1)</script>', false],
    ['//status.vendor.example/', false],
    ['/home', false],
    ['', false],
    ['https://vendor.example@evil.example/', false],
    ['https://vendor.example/\u202e', false],
  ])('a link to %j can be followed: %s', (url, expected) => {
    expect(isSafeLink({ text: 'Status', url })).toBe(expected)
  })
})
