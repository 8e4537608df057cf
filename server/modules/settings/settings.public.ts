/** What other modules may use of settings. */
export { changeContacts } from '#server/modules/settings/change-contacts.ts'
