import { expect, test } from 'vitest'
import type { HostPlan } from '#contract/activations/plan-fields.ts'
import { nextText, planName, stoppedPlans, workText } from '#web/modules/activations/history/plan-texts.ts'

const server = (serverName: string) => ({ serverName, serverId: `id-${serverName}`, serverIdType: 'ETHERNET' })
const plan: HostPlan = {
  id: '1',
  action: 'REHOST',
  state: 'failed',
  text: '',
  done: 2,
  total: 5,
  amounts: { returned: { done: 4, total: 4 }, activated: { done: 0, total: 4 }, files: { done: 0, total: 1 } },
  source: server('lic-01'),
  target: server('a,b,c'),
  requestedBy: 'ada@aerodyne.example',
  requestedAt: '2026-11-15T10:00:00.000Z',
  finishedAt: '2026-11-15T10:00:01.000Z',
  failure: { code: 'EXPORT_DENIED', err: 'Denied.' },
}

test.each<[Partial<HostPlan>, string]>([
  [{}, 'Rehost of lic-01 on a, b, c'],
  [{ action: 'DEACTIVATE', target: null }, 'Deactivation of lic-01'],
  [{ action: 'RENEW', target: null }, 'Replacement with renewal on lic-01'],
  [{ action: 'RENEW', target: null, source: null }, 'Replacement with renewal on all hosts'],
  [{ action: 'FORCE_RETURN', target: null }, 'Forced return from lic-01'],
])('the name of a plan: %o', (change, name) => {
  expect(planName({ ...plan, ...change })).toBe(name)
})

test('a stopped plan says what is done, what is not, and what to do next', () => {
  expect(workText(plan)).toBe('Done: 4 of 4 seats returned, 0 of 4 seats activated, 0 of 1 license file generated.')
  expect(nextText(plan)).toContain('Manage Activations shows what is on a, b, c')
  expect(nextText({ ...plan, action: 'RENEW', source: null, target: null })).toContain('start again')
})

test('a stopped plan that was repeated to the end is not shown any more', () => {
  const later = { ...plan, id: '2', state: 'done' as const, requestedAt: '2026-11-15T11:00:00.000Z' }
  expect(stoppedPlans([plan])).toEqual([plan])
  expect(stoppedPlans([later, plan])).toEqual([])
  expect(stoppedPlans([{ ...later, source: server('lic-02') }, plan])).toEqual([plan])
  expect(stoppedPlans([{ ...later, requestedAt: '2026-11-15T09:00:00.000Z' }, plan])).toEqual([plan])
})
