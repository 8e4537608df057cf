import { useLocation } from 'react-router'
import { MAX_ACCOUNTS } from '#contract/accounts/account-list.ts'
import { accountSearchText, parseAccountSearch } from '#domain/accounts/account-search.ts'
import { useChooseCustomer } from '#web/app/customer/choose-customer.ts'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { useRecentAccounts } from '#web/app/customer/recent-accounts.ts'
import { EntityPicker } from '#web/form/entity-picker.tsx'
import type { Entity } from '#web/form/entity-search.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { type Account, searchAccounts } from '#web/modules/accounts/accounts.api.ts'

const SEARCH_BOX = 'account-search'

/** For pages that ask for a customer: the box is in the toolbar, and there is only one. */
export function focusAccountPicker(): void {
  document.getElementById(SEARCH_BOX)?.focus()
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

/** The search box that selects the customer. */
export function AccountPicker() {
  const customer = useCustomer()
  const choose = useChooseCustomer()
  const { recent } = useRecentAccounts()
  const portfolio = usePortfolio()
  const { pathname } = useLocation()
  return (
    <search>
      <EntityPicker
        id={SEARCH_BOX}
        aria-label="Account search"
        placeholder="Search for Account ID or Name"
        entity={ACCOUNTS}
        value={customer.state === 'known' ? customer : null}
        onChange={(account) => choose(account?.number)}
        onInvalid={() => choose(undefined)}
        suggestions={{ heading: 'Recent accounts', items: recent }}
        // Who has one account would be given it back at once.
        isClearable={portfolio.state !== 'single'}
        settlesWith={pathname}
      />
    </search>
  )
}
