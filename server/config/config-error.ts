/** An invalid setting. The start prints its message as one line. */
export class ConfigError extends Error {}
