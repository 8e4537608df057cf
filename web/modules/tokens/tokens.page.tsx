import { ActionIcon, Button } from '@mantine/core'
import { IconKey, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { NewTokenAnswer } from '#contract/tokens/tokens.ts'
import { ONLY_ADMINISTRATORS } from '#domain/access/can.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { NewTokenDialog } from '#web/modules/tokens/new-token.dialog.tsx'
import { RollTokenDialog } from '#web/modules/tokens/roll-token.dialog.tsx'
import { stateOf, TOKEN_COLUMNS } from '#web/modules/tokens/token-columns.tsx'
import { TokenPolicyForm } from '#web/modules/tokens/token-policy.form.tsx'
import { type TokenRow, tokenPolicyQuery, tokenSource, useReloadTokens } from '#web/modules/tokens/tokens.api.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { Card } from '#web/ui/cards.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ShownOnce } from '#web/ui/dialogs/shown-once.dialog.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './tokens.module.css'

const BY_NAME = [{ column: 'name', direction: 'asc' }] as const
type Opened = { dialog: 'new' } | { dialog: 'roll'; row: TokenRow } | { dialog: 'shown'; name: string; token: string }

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
  const canCreate = useCan('tokens.create')
  const source = useMemo(() => tokenSource(customerNumber), [customerNumber])
  const table = useTable({ tableName: 'apiTokens', columns: TOKEN_COLUMNS, rowKey, source, sorting: BY_NAME })
  const reload = useReloadTokens(customerNumber)
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const show = (name: string, { token }: NewTokenAnswer) => {
    setOpened({ dialog: 'shown', name, token })
    void reload()
  }
  const revoking = useSave({
    send: (row: TokenRow, key) => call('tokens/revoke', { body: { customerNumber, id: row.id }, idempotencyKey: key }),
    success: 'The token has been revoked.',
    notDone: 'Nothing was revoked.',
    onSaved: reload,
  })
  const revoke = async (row: TokenRow) => {
    const question = `Revoke the token "${row.name}"? Programs that use it are refused at once. A revoked token cannot be restored.`
    if (await confirm(question, 'Revoke token')) revoking.save(row)
  }
  return (
    <>
      <DataTable
        table={table}
        label="API tokens"
        what="tokens"
        rowName={rowName}
        noRows="This account has no tokens yet. Create one to let a program call the API."
        actionsWidth={84}
        rowActions={(row) => {
          const state = stateOf(row)
          if (state === 'Expired' || state === 'Revoked') return null
          return (
            <>
              {canCreate && state === 'Active' && (
                <Tooltip label="Replace">
                  <ActionIcon
                    variant="subtle"
                    aria-label={`Replace ${row.name}`}
                    onClick={() => setOpened({ dialog: 'roll', row })}
                  >
                    <IconRefresh size={16} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              )}
              <Tooltip label="Revoke">
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={`Revoke ${row.name}`}
                  disabled={revoking.isSaving}
                  onClick={() => revoke(row)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </>
          )
        }}
        actions={
          <ReasonTooltip reason={canCreate ? undefined : ONLY_ADMINISTRATORS}>
            <Button
              size="xs"
              leftSection={<IconKey size={15} aria-hidden />}
              onClick={() => setOpened({ dialog: 'new' })}
            >
              Create token
            </Button>
          </ReasonTooltip>
        }
      />
      {opened?.dialog === 'new' && (
        <Loaded query={tokenPolicyQuery(customerNumber)}>
          {(policy) => <NewTokenDialog customerNumber={customerNumber} policy={policy} onMade={show} onClose={close} />}
        </Loaded>
      )}
      {opened?.dialog === 'roll' && (
        <Loaded query={tokenPolicyQuery(customerNumber)}>
          {(policy) => (
            <RollTokenDialog
              customerNumber={customerNumber}
              token={opened.row}
              policy={policy}
              onMade={show}
              onClose={close}
            />
          )}
        </Loaded>
      )}
      {opened?.dialog === 'shown' && (
        <ShownOnce title={`Token "${opened.name}"`} what="token" value={opened.token} onClose={close}>
          Programs send it in the header <code>Authorization: Bearer</code>.
        </ShownOnce>
      )}
    </>
  )
}

const rowKey = (row: TokenRow) => row.id
const rowName = (row: TokenRow) => row.name
