import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId } from 'react'
import { useLocation } from 'react-router'
import { accountSearchText } from '#domain/accounts/account-search.ts'
import { AccountOptions } from '#web/app/customer/account-options.tsx'
import { useChooseCustomer } from '#web/app/customer/choose-customer.ts'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { useRecentAccounts } from '#web/app/customer/recent-accounts.ts'
import { isTooMany, searchMessage } from '#web/app/customer/search-message.ts'
import { useAccountSearch } from '#web/app/customer/use-account-search.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import type { Account } from '#web/modules/accounts/accounts.api.ts'
import classes from './account-picker.module.css'

const SEARCH_BOX = 'account-search'

/** For pages that ask for a customer: the box is in the toolbar, and there is only one. */
export function focusAccountPicker(): void {
  document.getElementById(SEARCH_BOX)?.focus()
}

/** The search box that selects the customer: shows the selected one, finds others, offers those opened last. */
export function AccountPicker() {
  const customer = useCustomer()
  const choose = useChooseCustomer()
  const { recent } = useRecentAccounts()
  const portfolio = usePortfolio()
  const messageId = useId()
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const selected = customer.state === 'known' ? accountSearchText(customer) : ''

  const pick = (number: string) => {
    search.leave()
    list.closeDropdown()
    choose(number)
  }
  const search = useAccountSearch({
    onFound: (accounts) => {
      const [only, ...others] = accounts
      if (only && others.length === 0) pick(only.number)
      else list.openDropdown()
    },
    onInvalid: () => choose(undefined),
  })
  const { typed, outcome } = search
  /** What was searched for in vain must not stand where the selected customer is expected. */
  const settle = () => {
    const isUnderWay = outcome.state === 'searching' || (outcome.state === 'idle' && typed)
    if (selected && !isUnderWay) search.leave()
  }
  const settleElsewhere = useEffectEvent(settle)
  const { pathname } = useLocation()
  useEffect(() => {
    if (pathname) settleElsewhere()
  }, [pathname])
  const message = searchMessage(outcome)
  // Who has one account would be given it back at once.
  const canClear = (selected || typed) && (typed !== undefined || portfolio.state !== 'single')
  const offered = offeredAccounts()

  function offeredAccounts(): readonly Account[] {
    if (outcome.state === 'found') return isTooMany(outcome.accounts) ? [] : outcome.accounts
    // Untouched or emptied, the box has nothing to search for.
    return outcome.state === 'idle' && !typed ? recent : []
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') search.leave()
    const isOptionMarked = list.dropdownOpened && list.getSelectedOptionIndex() >= 0
    if (event.key === 'Enter' && typed && !isOptionMarked && !event.nativeEvent.isComposing) search.searchNow(typed)
  }

  return (
    <search className={classes.picker}>
      <Combobox store={list} onOptionSubmit={pick} shadow="md" offset={4} withinPortal={false}>
        <Combobox.Target withExpandedAttribute>
          <TextInput
            id={SEARCH_BOX}
            aria-label="Account search"
            aria-describedby={message ? messageId : undefined}
            aria-invalid={outcome.state === 'invalid' || undefined}
            placeholder="Search for Account ID or Name"
            value={typed ?? selected}
            spellCheck={false}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={
              canClear && (
                <CloseButton
                  size="sm"
                  aria-label="Clear account"
                  onClick={() => {
                    search.leave()
                    choose(undefined)
                  }}
                />
              )
            }
            onChange={(event) => {
              search.type(event.currentTarget.value)
              list.resetSelectedOption()
              if (event.currentTarget.value === '') list.openDropdown()
              else list.closeDropdown()
            }}
            onKeyDown={onKeyDown}
            onFocus={(event) => {
              event.currentTarget.select()
              if (!event.currentTarget.value) list.openDropdown()
            }}
            onClick={() => list.openDropdown()}
            onBlur={() => {
              list.closeDropdown()
              if (outcome.state === 'idle' && !typed) search.leave()
              else settle()
            }}
          />
        </Combobox.Target>
        <AccountOptions accounts={offered} heading={outcome.state === 'idle' ? 'Recent accounts' : undefined} />
      </Combobox>
      <div id={messageId} role="status" className={classes.message} data-state={outcome.state} hidden={!message}>
        {message}
      </div>
    </search>
  )
}
