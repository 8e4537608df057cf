import { useLocalStorage } from '@mantine/hooks'
import { useCallback } from 'react'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import type { Account } from '#web/modules/accounts/accounts.api.ts'

const KEPT = 8

/** The accounts that this person opened last in this browser, newest first. */
export function useRecentAccounts(): { recent: readonly Account[]; remember(account: Account): void } {
  const { user } = useSignedIn()
  const [recent, setRecent] = useLocalStorage<readonly Account[]>({
    key: `recentAccounts:${user.email}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: recentAccountsIn,
  })
  const remember = useCallback((account: Account) => setRecent((before) => withNewest(before, account)), [setRecent])
  return { recent, remember }
}

export function withNewest(recent: readonly Account[], account: Account): readonly Account[] {
  return [account, ...recent.filter((one) => one.number !== account.number)].slice(0, KEPT)
}

/** Anyone can write into local storage; what is no list of accounts is no list. */
export function recentAccountsIn(stored: string | undefined): readonly Account[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(list) ? list.filter(isAccount).slice(0, KEPT) : []
  } catch {
    return []
  }
}

function isAccount(value: unknown): value is Account {
  if (typeof value !== 'object' || value === null) return false
  return 'number' in value && typeof value.number === 'string' && 'name' in value && typeof value.name === 'string'
}
