import { describe, expect, test } from 'vitest'
import {
  AMOUNT_WRONG,
  BUDGET_TWICE,
  BUDGET_WRONG,
  LEAD_DAYS_WRONG,
  NAME_REQUIRED,
  NO_RECIPIENTS,
  NO_REMINDERS,
  PERCENT_WRONG,
  type Reminders,
  reminderErrors,
  THRESHOLD_TWICE,
  TOO_MANY_LEAD_TIMES,
  tidiedReminders,
} from '#domain/reminders/reminders.ts'

const TO = ['ada@aerodyne.example']
const percent = (value: string) => ({ measure: 'percent', value }) as const
const amount = (value: string) => ({ measure: 'amount', value }) as const

describe('the errors of reminders', () => {
  test.each<[what: string, reminders: Partial<Reminders>, errors: Record<string, string>]>([
    ['nothing chosen', {}, {}],
    ['recipients only', { recipients: TO }, {}],
    ['lead times without recipients', { leadDays: [30] }, { recipients: NO_RECIPIENTS }],
    ['denied seats without recipients', { seatDenials: true }, { recipients: NO_RECIPIENTS }],
    ['silent servers without recipients', { silentServers: true }, { recipients: NO_RECIPIENTS }],
    ['common lead times', { recipients: TO, leadDays: [90, 30, 7] }, {}],
    ['the shortest and the longest lead time', { recipients: TO, leadDays: [1, 730] }, {}],
    ['a lead time of zero days', { recipients: TO, leadDays: [0] }, { leadDays: LEAD_DAYS_WRONG }],
    ['a lead time of 731 days', { recipients: TO, leadDays: [731] }, { leadDays: LEAD_DAYS_WRONG }],
    ['a lead time of 1.5 days', { recipients: TO, leadDays: [1.5] }, { leadDays: LEAD_DAYS_WRONG }],
    ['a value that is not a number', { recipients: TO, leadDays: [Number.NaN] }, { leadDays: LEAD_DAYS_WRONG }],
    [
      'too many lead times',
      { recipients: TO, leadDays: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
      { leadDays: TOO_MANY_LEAD_TIMES },
    ],
    ['thresholds', { recipients: TO, elastic: [percent('10'), amount('500.25')], fsa: [percent('0')] }, {}],
    ['a threshold of 100 percent', { recipients: TO, elastic: [percent('100')] }, { 'elastic.0.value': PERCENT_WRONG }],
    ['a negative amount', { recipients: TO, fsa: [amount('-1')] }, { 'fsa.0.value': AMOUNT_WRONG }],
    ['an amount with three decimals', { recipients: TO, fsa: [amount('1.001')] }, { 'fsa.0.value': AMOUNT_WRONG }],
    ['a word as an amount', { recipients: TO, elastic: [amount('many')] }, { 'elastic.0.value': AMOUNT_WRONG }],
    [
      'the same threshold twice',
      { recipients: TO, elastic: [percent('10'), percent('10.0')] },
      { 'elastic.1.value': THRESHOLD_TWICE },
    ],
    ['one number as percentage and as amount', { recipients: TO, elastic: [percent('10'), amount('10')] }, {}],
    ['a budget', { recipients: TO, budgets: [{ by: 'project', name: 'Wing', amount: '100' }] }, {}],
    [
      'a budget without a name',
      { recipients: TO, budgets: [{ by: 'user', name: ' ', amount: '1' }] },
      { 'budgets.0.name': NAME_REQUIRED },
    ],
    [
      'a budget of zero',
      { recipients: TO, budgets: [{ by: 'user', name: 'kim', amount: '0' }] },
      { 'budgets.0.amount': BUDGET_WRONG },
    ],
    [
      'two budgets of a user in different case',
      {
        recipients: TO,
        budgets: [
          { by: 'user', name: 'kim', amount: '1' },
          { by: 'user', name: 'Kim', amount: '2' },
        ],
      },
      { 'budgets.1.name': BUDGET_TWICE },
    ],
    [
      'a user and a project of the same name',
      {
        recipients: TO,
        budgets: [
          { by: 'user', name: 'kim', amount: '1' },
          { by: 'project', name: 'kim', amount: '2' },
        ],
      },
      {},
    ],
  ])('reminders with %s get the right errors', (_, reminders, errors) => {
    expect(reminderErrors({ ...NO_REMINDERS, ...reminders })).toEqual(errors)
  })
})

test('reminders are kept in one way, however they were typed', () => {
  const typed: Reminders = {
    recipients: ['Vic@aerodyne.example ', 'ada@aerodyne.example', 'ADA@aerodyne.example'],
    leadDays: [7, 90, 30, 7],
    elastic: [percent(' 10.50')],
    fsa: [amount('0500')],
    budgets: [{ by: 'project', name: ' Wing ', amount: '1000.00' }],
    seatDenials: true,
    silentServers: false,
  }
  const kept: Reminders = {
    recipients: ['ada@aerodyne.example', 'vic@aerodyne.example'],
    leadDays: [90, 30, 7],
    elastic: [percent('10.5')],
    fsa: [amount('500')],
    budgets: [{ by: 'project', name: 'Wing', amount: '1000' }],
    seatDenials: true,
    silentServers: false,
  }
  expect(tidiedReminders(typed)).toEqual(kept)
  expect(tidiedReminders(kept)).toEqual(kept)
})
