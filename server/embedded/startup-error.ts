/** The portal cannot start here, and the message alone tells the operator why: one line, no stack trace needed. */
export class StartupError extends Error {}
