/** All tables. Each `tables.ts` adds the rows of the tables that its folder owns. */
// biome-ignore lint/suspicious/noEmptyInterface: the files of the owners extend it
export interface DB {}
