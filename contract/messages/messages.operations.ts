import { operationsOf } from '#contract/kit/operations-of.ts'
import * as alertAuthoring from '#contract/messages/alert-authoring.ts'
import * as alertList from '#contract/messages/alert-list.ts'
import * as emailList from '#contract/messages/email-list.ts'
import * as emails from '#contract/messages/emails.ts'
import * as notifications from '#contract/messages/notifications.ts'

export const messagesOperations = operationsOf(alertAuthoring, alertList, emailList, emails, notifications)
