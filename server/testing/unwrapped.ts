import { InstallationSecrets } from '#server/db/secrets.queries.ts'

/** The secrets of an installation without a key from outside. */
export const UNWRAPPED = new InstallationSecrets([])
