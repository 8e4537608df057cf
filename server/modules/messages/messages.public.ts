/** What other modules may use of messages: they say what a mail holds, and in which transaction it is caused. */
export { action, facts, paragraph } from '#server/modules/messages/mail-frame.ts'
export { type Mail, queueMail } from '#server/modules/messages/queue-mail.ts'
