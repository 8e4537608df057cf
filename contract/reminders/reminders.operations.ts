import { operationsOf } from '#contract/kit/operations-of.ts'
import * as reminders from '#contract/reminders/reminders.ts'

export const remindersOperations = operationsOf(reminders)
