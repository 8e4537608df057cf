import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '#web/lib/api/api-error.ts'
import { type Account, associatedCustomersQuery, MAX_ASSOCIATED } from '#web/modules/activations/activations.api.ts'
import classes from '#web/modules/activations/activations.module.css'
import { FieldReason } from '#web/ui/reason-tooltip.tsx'

const TYPING_PAUSE = 400

type Props = {
  /** Customers whose tabs are already open. */
  open: readonly string[]
  /** Why it is disabled. */
  reason: string | undefined
  onChoose(account: Account): void
}

/** Finds another customer whose activations go onto the same host. */
export function AssociatedCustomers({ open, reason, onChoose }: Props) {
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed.trim(), TYPING_PAUSE)
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const {
    data = [],
    error,
    isFetching,
  } = useQuery({
    ...associatedCustomersQuery(settled),
    enabled: list.dropdownOpened,
    placeholderData: (before) => before,
  })
  const found = data.filter(({ number }) => !open.includes(number))
  return (
    <FieldReason reason={reason}>
      <Combobox
        store={list}
        shadow="md"
        withinPortal={false}
        onOptionSubmit={(number) => {
          const account = found.find((one) => one.number === number)
          if (account) onChoose(account)
          setTyped('')
          list.closeDropdown()
        }}
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            label="Associated Customers"
            placeholder="Search for Account ID or Name"
            value={typed}
            maxLength={100}
            spellCheck={false}
            disabled={reason !== undefined}
            aria-description={reason}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={isFetching && <Loader size={14} />}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              list.openDropdown()
            }}
            onClick={() => list.openDropdown()}
            onFocus={() => list.openDropdown()}
            onBlur={() => {
              list.closeDropdown()
              setTyped('')
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options className={classes.productOptions} aria-label="Found accounts">
            {found.map(({ number, name }) => (
              <Combobox.Option key={number} value={number} className={classes.account}>
                <span>{name}</span>
                <span className={classes.accountNumber}>{number}</span>
              </Combobox.Option>
            ))}
            {found.length === 0 && (
              <Combobox.Empty>
                {error ? failureText(error) : isFetching ? 'Loading...' : 'No account found.'}
              </Combobox.Empty>
            )}
          </Combobox.Options>
          {data.length >= MAX_ASSOCIATED && <Combobox.Footer>Type more to find other accounts.</Combobox.Footer>}
        </Combobox.Dropdown>
      </Combobox>
    </FieldReason>
  )
}
