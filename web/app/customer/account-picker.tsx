import { useHotkeys } from '@mantine/hooks'
import { useCallback } from 'react'
import { MAX_ACCOUNTS } from '#contract/accounts/account-list.ts'
import { accountSearchText, parseAccountSearch } from '#domain/accounts/account-search.ts'
import { useOfferedAccounts } from '#web/app/customer/account-links.tsx'
import { useChooseCustomer } from '#web/app/customer/choose-customer.ts'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { EntityPicker } from '#web/form/entity-picker.tsx'
import type { Entity } from '#web/form/entity-search.ts'
import { useShownAccount } from '#web/lib/customer.tsx'
import { type Account, searchAccounts } from '#web/modules/accounts/accounts.api.ts'
import { useSingleKeys } from '#web/ui/single-keys.ts'

const SEARCH_BOX = 'account-search'

/** Moves the focus to the search box in the toolbar. */
export function focusAccountPicker(): void {
  document.getElementById(SEARCH_BOX)?.focus()
}

/** The box is behind an open dialog, which keeps the focus. */
function focusUnlessInDialog(): void {
  if (!document.querySelector('[role="dialog"][aria-modal="true"]')) focusAccountPicker()
}

const ACCOUNTS: Entity<Account> = {
  name: ['account', 'accounts'],
  keyOf: ({ number }) => number,
  nameOf: ({ name }) => name,
  textOf: accountSearchText,
  search(typed) {
    const search = parseAccountSearch(typed)
    if (search.kind === 'empty' || search.kind === 'invalid') return search.kind
    return () => searchAccounts(search)
  },
  max: MAX_ACCOUNTS,
  hint: 'Filter by account ID or name.',
}

/** A large search box on Home, where nothing else can be done before an account is chosen. */
export function AccountFinder() {
  const choose = useChooseCustomer()
  // Who is typing elsewhere is left alone.
  const focus = useCallback((box: HTMLDivElement | null) => {
    if (!(document.activeElement instanceof HTMLInputElement)) box?.querySelector('input')?.focus()
  }, [])
  return (
    <div ref={focus}>
      <EntityPicker
        aria-label="Find an account"
        placeholder="Find an account by its ID or name"
        size="lg"
        entity={ACCOUNTS}
        value={null}
        onChange={(account) => account && choose(account.number)}
      />
    </div>
  )
}

/** The search box that selects the customer. */
export function AccountPicker() {
  const account = useShownAccount()
  const choose = useChooseCustomer()
  const offered = useOfferedAccounts()
  const portfolio = usePortfolio()
  const [hasSingleKeys] = useSingleKeys()
  useHotkeys(hasSingleKeys ? [['/', focusUnlessInDialog]] : [])
  return (
    <search>
      <EntityPicker
        id={SEARCH_BOX}
        aria-label="Account search"
        placeholder="Search for Account ID or Name"
        entity={ACCOUNTS}
        value={account ?? null}
        onChange={(account) => choose(account?.number)}
        onInvalid={() => choose(undefined)}
        suggestions={offered}
        // A single account would be selected again at once.
        isClearable={portfolio.state !== 'single'}
      />
    </search>
  )
}
