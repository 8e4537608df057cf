import { useMemo } from 'react'
import { Loaded } from '#web/form/loaded.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { TOKEN_COLUMNS } from '#web/modules/tokens/token-columns.tsx'
import { TokenPolicyForm } from '#web/modules/tokens/token-policy.form.tsx'
import { CREATE, REPLACE, REVOKE } from '#web/modules/tokens/tokens.actions.tsx'
import { type TokenRow, tokenPolicyQuery, tokenSource } from '#web/modules/tokens/tokens.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { RowAction } from '#web/ui/actions/row-action.tsx'
import { useActions } from '#web/ui/actions/use-actions.tsx'
import { Card } from '#web/ui/cards.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './tokens.module.css'

const BY_NAME = [{ column: 'name', direction: 'asc' }] as const

export function Page() {
  const { number } = useKnownCustomer()
  return (
    <>
      <PageHead context="Tokens let your programs call the API." />
      <div className={classes.parts}>
        <Tokens key={number} customerNumber={number} />
        <Card title="Policy" about="Applies immediately, including to existing tokens.">
          <Loaded query={tokenPolicyQuery(number)}>
            {(loaded) => <TokenPolicyForm key={number} customerNumber={number} loaded={loaded} />}
          </Loaded>
        </Card>
      </div>
    </>
  )
}

function Tokens({ customerNumber }: { customerNumber: string }) {
  const source = useMemo(() => tokenSource(customerNumber), [customerNumber])
  const table = useTable({ tableName: 'apiTokens', columns: TOKEN_COLUMNS, rowKey, source, sorting: BY_NAME })
  const { run, dialog } = useActions()
  return (
    <>
      <DataTable
        table={table}
        label="API tokens"
        what="tokens"
        rowName={rowName}
        noRows="This account has no tokens yet. Create one to let a program call the API."
        actionsWidth={84}
        rowActions={(row) => (
          <>
            <RowAction action={REPLACE} thing={row} name={row.name} onRun={run} />
            <RowAction action={REVOKE} thing={row} name={row.name} onRun={run} />
          </>
        )}
        actions={<ActionButton action={CREATE} thing={undefined} size="xs" hasIcon />}
      />
      {dialog}
    </>
  )
}

const rowKey = (row: TokenRow) => row.id
const rowName = (row: TokenRow) => row.name
