export const MAX_VIEW_NAME = 60
/** Named views of one person for one table on one account. */
export const MAX_VIEWS = 50

export const TOO_MANY_VIEWS = `You can keep at most ${MAX_VIEWS} named views of a table. Delete one that you no longer need.`
export const NOT_SHARED = 'A view of a table without an account cannot be shared. Copy its link instead.'
export const nameTaken = (name: string): string =>
  `You already have a view named "${name}" for this table. Choose another name.`

/** Names that differ only in case are the same name. */
export const viewNameKey = (name: string): string => name.trim().toLowerCase()
