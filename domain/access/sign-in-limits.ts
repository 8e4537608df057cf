/** Idle timeout of a sign-in session, in minutes since the last call that a person caused. */
export const IDLE_LIMIT_MINUTES = 30
/** The server saves activity at most this often, in minutes, so a sign-in session may end that much earlier. */
export const ACTIVITY_NOTED_MINUTES = 1
