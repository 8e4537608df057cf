/** The portal cannot start. The message tells the operator why in one line, without a stack trace. */
export class StartupError extends Error {}
