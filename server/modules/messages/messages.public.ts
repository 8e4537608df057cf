/** What other modules may use of messages. Callers pass the content of a mail and the transaction that causes it. */
export { countOpenAlerts } from '#server/modules/messages/alerts.queries.ts'
export { countUndelivered } from '#server/modules/messages/emails.queries.ts'
export { action, facts, type MailFact, pageUrl, paragraph } from '#server/modules/messages/mail-frame.ts'
export { type Mail, queueMail, queueNotice } from '#server/modules/messages/queue-mail.ts'
