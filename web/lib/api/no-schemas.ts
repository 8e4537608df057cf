/**
 * In the browser this takes the place of TypeBox (see vite.config.ts): operations are called by name, and only
 * the server validates. Nothing reads the schemas of the contract there.
 */
export const Type = new Proxy({}, { get: () => () => ({}) })
