/** What other modules may use of people from outside. Only queries: modules below use it as well. */
export { forgetGiven } from '#server/modules/provisioning/access/given.queries.ts'
export {
  isMappedWebGroup,
  listManagedContacts,
  listManagedMembers,
  listManagedPeople,
  listManagedUsers,
} from '#server/modules/provisioning/managed.queries.ts'
export { loadPeople, peopleByName } from '#server/modules/provisioning/people.queries.ts'
