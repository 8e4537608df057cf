/** A sign-in session ends after so many minutes without a call that a person caused. */
export const IDLE_LIMIT_MINUTES = 30
/** The server notes activity at most once in so many minutes, so a sign-in session may end that much earlier. */
export const ACTIVITY_NOTED_MINUTES = 1
