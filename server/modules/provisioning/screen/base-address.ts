import type { Config } from '#server/config.ts'

/** Where the identity provider of an account sends its calls. */
export const baseAddress = ({ origin }: Pick<Config, 'origin'>, customerNumber: string): string =>
  `${origin}/scim/v2/${customerNumber}`
