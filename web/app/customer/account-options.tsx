import { Combobox } from '@mantine/core'
import type { Account } from '#web/modules/accounts/accounts.api.ts'
import classes from './account-picker.module.css'

export function AccountOptions({ accounts, heading }: { accounts: readonly Account[]; heading: string | undefined }) {
  const options = accounts.map((account) => (
    <Combobox.Option key={account.number} value={account.number} className={classes.option}>
      <span className={classes.name}>{account.name}</span>
      <span className={classes.number}>{account.number}</span>
    </Combobox.Option>
  ))
  return (
    <Combobox.Dropdown hidden={accounts.length === 0}>
      <Combobox.Options className={classes.options} aria-label={heading ?? 'Accounts found'}>
        {heading ? <Combobox.Group label={heading}>{options}</Combobox.Group> : options}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}
