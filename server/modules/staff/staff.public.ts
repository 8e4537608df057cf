/** What the command line and other modules may use of staff roles. */
export { grantStaffRole, revokeStaffRole } from '#server/modules/staff/change-staff-role.ts'
export { listStaffRoles } from '#server/modules/staff/staff-roles.queries.ts'
