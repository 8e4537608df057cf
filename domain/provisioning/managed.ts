/** Why what came by SCIM cannot be changed by hand. */
export const MANAGED_PERSON = 'Your identity provider manages this person. Make the change there.'
export const MANAGED_ROLE = 'Your identity provider manages this role: a group gives it. Make the change there.'
export const MANAGED_MEMBER = 'Your identity provider manages this member: a group gives it. Make the change there.'
export const MAPPED_GROUP =
  'A group of your identity provider gives this group. Choose something else for it in Provisioning first.'
