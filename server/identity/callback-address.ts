/**
 * Where a provider sends people back to. Each account has an address of its own, so that an answer of one provider is never taken for that of
 * another.
 */
export const callbackOf = (origin: string, account: string | null): string =>
  `${origin}/auth/callback${account === null ? '' : `/${account}`}`
