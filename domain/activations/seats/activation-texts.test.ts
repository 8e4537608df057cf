import { expect, test } from 'vitest'
import type { PlanAction } from '#domain/activations/plans/host-plan.ts'
import type { PlanStep } from '#domain/activations/plans/plan.ts'
import {
  LOADING_HISTORY,
  loadingText,
  NO_NEW_ENTITLEMENTS,
  NO_SERVER_FOUND,
  planText,
} from '#domain/activations/seats/activation-texts.ts'
import { HOST, OTHER_HOST } from '#domain/activations/testing/samples.ts'

const seats = (kind: 'return' | 'create', action: 'EDIT' | 'REHOST' | 'DEACTIVATE'): PlanStep => ({
  kind,
  action,
  host: HOST,
  customerNumber: '1',
  customerName: '',
  activations: [],
})

test.each<[PlanStep, string]>([
  [seats('return', 'EDIT'), 'Returning fulfillments...'],
  [seats('return', 'REHOST'), 'Rehosting from...'],
  [seats('return', 'DEACTIVATE'), 'Deactivating...'],
  [seats('create', 'EDIT'), 'Creating fulfillments...'],
  [seats('create', 'REHOST'), 'Rehosting to...'],
  [{ kind: 'generate', host: HOST, customerNumber: '1', customerName: '' }, 'Downloading license file...'],
])('the step %j shows %s', (step, text) => {
  expect(loadingText(step)).toBe(text)
})

const generate: PlanStep = { kind: 'generate', host: HOST, customerNumber: '1', customerName: '' }

test.each<[PlanAction, PlanStep, string]>([
  ['REHOST', seats('return', 'REHOST'), 'Rehosting from...'],
  ['REHOST', { kind: 'deactivate group', host: HOST, customerNumber: '1' }, 'Rehosting from...'],
  ['REHOST', { ...seats('create', 'REHOST'), host: OTHER_HOST }, 'Rehosting to...'],
  ['REHOST', { kind: 'set group', host: OTHER_HOST, customerNumber: '1', group: ['1', '2'] }, 'Rehosting to...'],
  ['REHOST', generate, 'Downloading license file...'],
  ['DEACTIVATE', { kind: 'deactivate group', host: HOST, customerNumber: '1' }, 'Deactivating...'],
  ['FORCE_RETURN', seats('return', 'DEACTIVATE'), 'Deactivating...'],
  ['RENEW', seats('create', 'EDIT'), 'Creating fulfillments...'],
  ['RENEW', seats('return', 'EDIT'), 'Returning fulfillments...'],
  ['RENEW', generate, 'Downloading license file...'],
])('a plan %s at the step %j shows %s', (action, step, text) => {
  expect(planText(action, step, action === 'REHOST' ? OTHER_HOST : null)).toBe(text)
})

test('the texts say what is missing and what is being loaded', () => {
  expect([NO_SERVER_FOUND, NO_NEW_ENTITLEMENTS, LOADING_HISTORY]).toEqual([
    'No Server Found',
    'Host does not have any new entitlements.',
    'Getting Activations History...',
  ])
})
