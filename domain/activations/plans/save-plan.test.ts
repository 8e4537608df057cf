import { describe, expect, test } from 'vitest'
import { licenseMail } from '#domain/activations/license-files/license-file.ts'
import { planDeactivate, planRehost } from '#domain/activations/plans/move-plan.ts'
import type { HeldSeats, PlanStep, SeatGoal } from '#domain/activations/plans/plan.ts'
import { planSave } from '#domain/activations/plans/save-plan.ts'
import { HOST, OTHER_HOST } from '#domain/activations/testing/samples.ts'

const goal = (customerNumber: string, returned: string[], wanted: Record<string, number>): SeatGoal => ({
  customerNumber,
  customerName: `Customer ${customerNumber}`,
  returned: returned.map((fulfillmentId) => ({ activationId: 'x', fulfillmentId })),
  wanted: Object.entries(wanted).map(([activationId, seats]) => ({ activationId, seats })),
})
const held = (
  customerNumber: string,
  activationId: string,
  FulfillmentID: string,
  FulfillCount: number,
): HeldSeats => ({
  customerNumber,
  activationId,
  FulfillmentID,
  FulfillCount,
})
const managed = (...numbers: string[]) => numbers.map((customerNumber) => ({ customerNumber, isManaged: true }))

/** A step in short form. */
function brief(step: PlanStep): string {
  if (step.kind === 'return' || step.kind === 'create')
    return `${step.kind} ${step.customerNumber}: ${step.activations.map(({ id, count }) => `${id} ${count}`).join(', ')}`
  if (step.kind === 'set group') return `set group ${step.group.join('+')}`
  if (step.kind === 'generate') return `generate ${step.customerNumber}`
  if (step.kind === 'email') return `email to ${step.supportEmailTo || 'me'} cc ${step.supportEmailCc || 'nobody'}`
  return step.kind
}
const briefs = (steps: readonly PlanStep[]) => steps.map(brief)

const request = {
  host: HOST,
  goals: [goal('1', ['f1'], { a: 3 }), goal('2', [], { b: 2 })],
  mail: { supportEmailTo: 'support@vendor.example', supportEmailCc: '' },
}
const before = { held: [held('1', 'x', 'f1', 4)], members: [] }

describe('the save flow', () => {
  test('runs in the order of its steps', () => {
    expect(briefs(planSave(request, before))).toEqual([
      'return 1: f1 -4',
      'create 1: a 3',
      'create 2: b 2',
      'set group 1+2',
      'generate 1',
      'generate 2',
      'email to support@vendor.example cc nobody',
    ])
  })

  test('carries on where it stopped', () => {
    const after = { held: [held('1', 'a', 'f2', 2)], members: managed('1', '2') }
    expect(briefs(planSave(request, after)).slice(0, 4)).toEqual([
      'create 1: a 1',
      'create 2: b 2',
      'generate 1',
      'generate 2',
    ])
  })

  test('only generates and mails when the seats are there already', () => {
    const after = { held: [held('1', 'a', 'f2', 3), held('2', 'b', 'f3', 2)], members: managed('2', '1') }
    expect(briefs(planSave(request, after))).toEqual([
      'generate 1',
      'generate 2',
      'email to support@vendor.example cc nobody',
    ])
  })

  test('makes the file alone when nothing was changed', () => {
    const unchanged = { host: HOST, goals: [goal('1', [], {})], mail: undefined }
    expect(briefs(planSave(unchanged, before))).toEqual(['generate 1'])
    // The person must see the server's refusal.
    expect(briefs(planSave(unchanged, { held: [], members: [] }))).toEqual(['generate 1'])
  })

  test('makes no file where the last seats were removed', () => {
    const emptied = { host: HOST, goals: [goal('1', ['f1'], {})], mail: request.mail }
    expect(briefs(planSave(emptied, before))).toEqual(['return 1: f1 -4'])
    const oneOfTwo = { host: HOST, goals: [goal('1', ['f1'], {}), goal('2', [], { b: 2 })], mail: undefined }
    expect(briefs(planSave(oneOfTwo, { ...before, members: managed('1', '2') }))).toEqual([
      'return 1: f1 -4',
      'create 2: b 2',
      'generate 2',
    ])
  })
})

describe('the group of a shared server', () => {
  const changes = (goals: SeatGoal[], members: { customerNumber: string; isManaged: boolean }[]) =>
    briefs(planSave({ host: HOST, goals, mail: undefined }, { ...before, members })).filter(
      (step) => step.includes('group') || step === 'override',
    )
  const [one, two, three] = [goal('1', [], {}), goal('2', [], {}), goal('3', [], {})]
  test.each([
    ['stays', [one, two], managed('2', '1'), []],
    ['arises', [one, two], [], ['set group 1+2']],
    ['changes', [one, three], managed('1', '2'), ['deactivate group', 'set group 1+3']],
    ['ends', [one], managed('1', '2'), ['deactivate group']],
    ['never was', [one], [], []],
    [
      'loses those whom nobody here manages',
      [one, two],
      [...managed('1', '2'), { customerNumber: '9', isManaged: false }],
      ['override'],
    ],
  ])('the group %s', (_, goals, members, expected) => {
    expect(changes(goals, members)).toEqual(expected)
  })
})

describe('batches', () => {
  const many = Array.from({ length: 180 }, (_, index) => `e${index}`)
  const wanted = Object.fromEntries(many.map((id) => [id, 1]))
  const steps = planSave(
    { host: HOST, goals: [goal('1', many, wanted)], mail: undefined },
    {
      held: many.map((id) => held('1', 'x', id, 1)),
      members: [],
    },
  )

  test('carry 25 activations each, returns before creates', () => {
    const sizes = (kind: PlanStep['kind']) =>
      steps.map((step) => (step.kind === kind && 'activations' in step ? step.activations.length : 0))
    const eight = [25, 25, 25, 25, 25, 25, 25, 5]
    const none = Array<number>(8).fill(0)
    expect(sizes('return')).toEqual([...eight, ...none, 0])
    expect(sizes('create')).toEqual([...none, ...eight, 0])
  })
})

describe('a rehost', () => {
  const goals = [goal('1', ['f1'], { a: 3 }), goal('2', ['f2'], { b: 1 })]
  const source = {
    host: HOST,
    held: [held('1', 'a', 'f1', 3), held('2', 'b', 'f2', 1)],
    members: ['1', '2'],
  }
  const target = { host: OTHER_HOST, held: [], members: [] }

  test('leaves the source before it fills the target', () => {
    const steps = planRehost({ goals, isSourceLeft: true }, source, target)
    expect(briefs(steps)).toEqual([
      'return 1: f1 -3',
      'return 2: f2 -1',
      'deactivate group',
      'create 1: a 3',
      'create 2: b 1',
      'set group 1+2',
      'generate 1',
      'generate 2',
    ])
    const hosts = steps.map(({ host }) => host.serverName)
    expect(hosts).toEqual([...Array(3).fill('lic-01'), ...Array(5).fill('lic-02')])
    const actions = steps.map((step) => ('action' in step ? step.action : undefined))
    expect(new Set(actions)).toEqual(new Set(['REHOST', undefined]))
  })

  test('carries on where it stopped: seats that were returned are activated on the target', () => {
    const halfway = planRehost(
      { goals, isSourceLeft: true },
      { ...source, held: [], members: [] },
      { ...target, held: [held('1', 'a', 'f9', 3)] },
    )
    expect(briefs(halfway)).toEqual(['create 2: b 1', 'set group 1+2', 'generate 1', 'generate 2'])
  })

  test('a source that keeps seats stays active, keeps its group and gets a new license file', () => {
    const some = [goal('1', ['f1'], { a: 3 }), goal('2', [], {})]
    const steps = planRehost({ goals: some, isSourceLeft: false }, source, target)
    expect(briefs(steps)).toEqual(['return 1: f1 -3', 'create 1: a 3', 'set group 1+2', 'generate 1', 'generate 2'])
    expect(steps.at(-1)?.host).toBe(HOST)
  })
})

describe('a deactivation', () => {
  const goals = [goal('1', ['f1', 'f2'], {})]
  const state = { held: [held('1', 'a', 'f1', 3), held('1', 'a', 'f2', 1)], members: ['1', '2'] }

  test('returns every seat and moves the host to the inactive ones', () => {
    expect(briefs(planDeactivate({ host: HOST, goals, isHostLeft: true }, state))).toEqual([
      'return 1: f1 -3, f2 -1',
      'deactivate group',
    ])
  })

  test('leaves the host active where seats stay, with a new license file', () => {
    const some = [goal('1', ['f1'], {})]
    expect(briefs(planDeactivate({ host: HOST, goals: some, isHostLeft: false }, state))).toEqual([
      'return 1: f1 -3',
      'generate 1',
    ])
  })

  test('carries on where it stopped', () => {
    const rest = planDeactivate({ host: HOST, goals, isHostLeft: true }, { held: state.held.slice(1), members: [] })
    expect(briefs(rest)).toEqual(['return 1: f2 -1'])
  })
})

test.each([
  ['generate', 'support@vendor.example', true, { supportEmailTo: 'support@vendor.example', supportEmailCc: '' }],
  ['generate', '', true, undefined],
  ['generate', 'support@vendor.example', false, undefined],
  ['email', 'support@vendor.example', true, { supportEmailTo: '', supportEmailCc: 'support@vendor.example' }],
  ['email', '', true, { supportEmailTo: '', supportEmailCc: '' }],
] as const)(
  '%s with support address %j and self-serve allowed %s mails to %j',
  (button, supportEmail, isSslAllowed, mail) => {
    expect(licenseMail(button, { supportEmail, isSslAllowed })).toEqual(mail)
  },
)
