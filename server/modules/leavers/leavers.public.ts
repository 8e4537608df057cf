/** What other modules may use of leavers. */
export { endAccess, refuseWithoutAdministrator } from '#server/modules/leavers/end-access.ts'
