import { describe, expect, test } from 'vitest'
import {
  ASKERS,
  closedText,
  DEFAULT_RULES,
  expiryOf,
  isApprovedByRule,
  mayAsk,
  nextState,
  REQUEST_EVENTS,
  REQUEST_STATES,
  type RequestEvent,
  type RequestState,
  requestText,
  stateAt,
} from '#domain/requests/request.ts'

describe('the state of a request', () => {
  const CASES: Record<RequestState, Partial<Record<RequestEvent, RequestState>>> = {
    open: { approve: 'approved', decline: 'declined', withdraw: 'withdrawn', expire: 'expired', fail: 'open' },
    approved: {},
    declined: {},
    withdrawn: {},
    expired: {},
  }
  const cases = REQUEST_STATES.flatMap((state) =>
    REQUEST_EVENTS.map((event) => [state, event, CASES[state][event]] as const),
  )
  test.each(cases)('%s after %s is %s', (state, event, expected) => {
    expect(nextState(state, event)).toBe(expected)
    if (expected === undefined) expect(closedText(state)).toBeDefined()
  })

  test('an open request has no text that says it is closed', () => {
    expect(closedText('open')).toBeUndefined()
  })

  const day = (n: number) => new Date(Date.UTC(2026, 0, n))
  test.each<[RequestState, number, RequestState]>([
    ['open', 9, 'open'],
    ['open', 10, 'expired'],
    ['open', 11, 'expired'],
    ['approved', 11, 'approved'],
    ['withdrawn', 11, 'withdrawn'],
  ])('%s on January %d is %s if it expires on the 10th', (state, now, expected) => {
    expect(stateAt({ state, expiresAt: day(10) }, day(now))).toBe(expected)
  })

  test('a request expires after the days of the rules', () => {
    expect(expiryOf({ days: 30 }, day(1))).toEqual(day(31))
  })
})

describe('the rules of an account', () => {
  test.each(ASKERS.map((askers) => [askers] as const))('"%s" decides who may ask', (askers) => {
    expect(mayAsk({ askers }, 'contact')).toBe(askers !== 'nobody')
    expect(mayAsk({ askers }, 'web user')).toBe(askers === 'viewers-and-web-users')
  })

  test('approve nothing unless somebody has said so, and never an order', () => {
    const kinds = ['web-license', 'seats', 'order'] as const
    const approved = (change: object) => kinds.filter((kind) => isApprovedByRule({ ...DEFAULT_RULES, ...change }, kind))
    expect(approved({})).toEqual([])
    expect(approved({ approveWebLicenses: true })).toEqual(['web-license'])
    expect(approved({ approveSeats: true })).toEqual(['seats'])
    expect(approved({ approveWebLicenses: true, approveSeats: true })).toEqual(['web-license', 'seats'])
  })
})

test.each([
  [{ kind: 'web-license', quantity: 1, targetName: 'a@b.example' }, 'a web license of Solver for a@b.example'],
  [{ kind: 'seats', quantity: 1, targetName: 'licsrv1' }, '1 seat of Solver on licsrv1'],
  [{ kind: 'seats', quantity: 1200, targetName: 'licsrv1' }, '1,200 seats of Solver on licsrv1'],
  [{ kind: 'order', quantity: 2, targetName: 'FSA-1' }, 'an order of 2 seats of Solver from FSA-1'],
] as const)('a request of %o reads "%s"', (requested, text) => {
  expect(requestText({ product: 'Solver', ...requested })).toBe(text)
})
