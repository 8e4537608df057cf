import { Anchor, Box, Group, Text } from '@mantine/core'
import { IconUsersPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useLocation } from 'react-router'
import type { ProvisioningState, ScimCall, ScimGroup, ScimPerson } from '#contract/provisioning/provisioning.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf, countText, timeText } from '#web/lib/format.ts'
import { CallDetails } from '#web/modules/provisioning/call-details.tsx'
import {
  MAKE_TOKEN,
  MAP,
  REPLACE_TOKEN,
  REPLAY,
  REVOKE_TOKEN,
} from '#web/modules/provisioning/provisioning.actions.tsx'
import {
  callSource,
  groupSource,
  personSource,
  provisioningQuery,
  type ScimToken,
  scimTokensQuery,
} from '#web/modules/provisioning/provisioning.api.ts'
import { CALL_COLUMNS, GROUP_COLUMNS, PERSON_COLUMNS } from '#web/modules/provisioning/provisioning-columns.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { RowAction } from '#web/ui/actions/row-action.tsx'
import { useActions } from '#web/ui/actions/use-actions.tsx'
import { AddressedTabs } from '#web/ui/addressed-tabs.tsx'
import { Card } from '#web/ui/cards.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { withHelp } from '#web/ui/help-address.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import classes from './provisioning.module.css'

const TABS = {
  groups: { title: 'Groups', content: () => <Groups /> },
  people: { title: 'People', content: () => <People /> },
  calls: { title: 'Calls', content: () => <Calls /> },
} as const

export function Page() {
  const { number } = useKnownCustomer()
  return (
    <>
      <PageHead context="Your identity provider sends people and groups by SCIM." />
      <Loaded query={scimTokensQuery(number)}>
        {(tokens) => (
          <Loaded query={provisioningQuery(number)}>
            {(state) =>
              tokens.length === 0 && state.lastCallAt === null ? (
                <Beginning baseAddress={state.baseAddress} />
              ) : (
                <Connected state={state} tokens={tokens} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

/** How to begin. */
function Beginning({ baseAddress }: { baseAddress: string }) {
  return (
    <EmptyState
      icon={IconUsersPlus}
      title="No identity provider is connected"
      actions={<ActionButton action={MAKE_TOKEN} thing={undefined} hasIcon />}
    >
      <Text maw="36rem" mx="auto" mb="xs">
        With it, people of your company get and lose access by themselves: who leaves loses sign-in, tokens and seats at
        once.
      </Text>
      <Box component="ol" w="fit-content" maw="36rem" mx="auto" my={0} pl="md" ta="left">
        <li>Create a token.</li>
        <li>
          Enter it in the identity provider (<Guides />) with the base address <BaseAddress value={baseAddress} />
        </li>
        <li>When the groups have arrived, choose what each of them gives.</li>
      </Box>
    </EmptyState>
  )
}

function Guides() {
  const { pathname } = useLocation()
  return (
    <>
      <Anchor inherit underline="always" component={PortalLink} to={withHelp(pathname, 'provisioning-entra')}>
        Microsoft Entra ID
      </Anchor>{' '}
      or{' '}
      <Anchor inherit underline="always" component={PortalLink} to={withHelp(pathname, 'provisioning-okta')}>
        Okta
      </Anchor>
    </>
  )
}

type ConnectedProps = { state: ProvisioningState; tokens: readonly ScimToken[] }

function Connected({ state, tokens }: ConnectedProps) {
  const { number } = useKnownCustomer()
  return (
    <div className={classes.parts} key={number}>
      <Connection state={state} tokens={tokens} />
      <AddressedTabs label="Provisioning" tabs={['groups', 'people', 'calls']} contents={TABS} />
    </div>
  )
}

function Connection({ state, tokens }: ConnectedProps) {
  const { baseAddress, lastCallAt, lastChangeAt, failedCalls, people, groups, mappedGroups } = state
  const current = tokens.find(({ replacedBy }) => replacedBy === null)
  const others = tokens.filter((token) => token !== current)
  return (
    <Card
      title="Connection"
      about={
        <>
          How to connect <Guides />
        </>
      }
    >
      <Facts
        layout="line"
        facts={[
          ['Base address', <BaseAddress key="base" value={baseAddress} />],
          [
            'Token',
            current ? <TokenFact token={current} /> : <SignalDot signal="red">None: calls are refused</SignalDot>,
          ],
          ...others.map(
            (token) =>
              [
                token.replacedBy === null ? 'Other token' : 'Former token',
                <TokenFact key={token.id} token={token} />,
              ] as const,
          ),
          ['Last call', lastCallAt ? timeText(lastCallAt) : 'None yet'],
          ['Last change', timeText(lastChangeAt)],
          [
            'Failed calls',
            <SignalDot key="failed" signal={failedCalls > 0 ? 'red' : 'green'}>
              {failedCalls === 0 ? 'None' : countText(failedCalls)}
            </SignalDot>,
          ],
          ['Active people', countText(people)],
          ['Groups', groups === 0 ? '0' : `${countText(groups)}, ${countText(mappedGroups)} of them give something`],
        ]}
      />
      <Group gap="xs" mt="sm">
        {current ? (
          <ActionButton action={REPLACE_TOKEN} thing={current} size="xs" variant="default" hasIcon />
        ) : (
          <ActionButton action={MAKE_TOKEN} thing={undefined} size="xs" hasIcon />
        )}
        {tokens.map((token) => (
          <ActionButton key={token.id} action={REVOKE_TOKEN} thing={token} size="xs" variant="default">
            {token.replacedBy === null ? 'Revoke token' : 'Revoke former token'}
          </ActionButton>
        ))}
      </Group>
    </Card>
  )
}

function BaseAddress({ value }: { value: string }) {
  return (
    <span className={classes.address}>
      <code>{value}</code>
      <CopyButton value={value} what="base address" />
    </span>
  )
}

function TokenFact({ token: { expires, lastUsed, lastAddress } }: { token: ScimToken }) {
  return (
    <>
      Ends {timeText(expires)}
      <Text component="span" display="block" c="dimmed" size="xs" fw={400}>
        {lastUsed ? `Last used ${timeText(lastUsed)}${lastAddress ? ` from ${lastAddress}` : ''}` : 'Never used'}
      </Text>
    </>
  )
}

const BY_NAME = [{ column: 'name', direction: 'asc' }] as const
const BY_USER_NAME = [{ column: 'userName', direction: 'asc' }] as const
const NEWEST_FIRST = [{ column: 'time', direction: 'desc' }] as const

function Groups() {
  const { number } = useKnownCustomer()
  const source = useMemo(() => groupSource(number), [number])
  const table = useTable({
    tableName: 'scimGroups',
    columns: GROUP_COLUMNS,
    rowKey: groupKey,
    source,
    sorting: BY_NAME,
    urlPrefix: 'group.',
  })
  const { run, dialog } = useActions()
  return (
    <>
      <DataTable
        table={table}
        label="Groups"
        what="groups"
        rowName={groupName}
        noRows="The identity provider has sent no groups yet. Assign groups to the application there."
        actionsWidth={56}
        rowActions={(row) => <RowAction action={MAP} thing={row} name={row.name} onRun={run} />}
      />
      {dialog}
    </>
  )
}

function People() {
  const { number } = useKnownCustomer()
  const source = useMemo(() => personSource(number), [number])
  const table = useTable({
    tableName: 'scimPeople',
    columns: PERSON_COLUMNS,
    rowKey: personKey,
    source,
    sorting: BY_USER_NAME,
    urlPrefix: 'person.',
  })
  return (
    <DataTable
      table={table}
      label="People"
      what="people"
      rowName={personName}
      noRows="The identity provider has sent no people yet. Assign people or groups to the application there."
    />
  )
}

function Calls() {
  const { number } = useKnownCustomer()
  const source = useMemo(() => callSource(number), [number])
  const detail = useMemo(() => (row: ScimCall) => <CallDetails customerNumber={number} call={row} />, [number])
  const table = useTable({
    tableName: 'scimCalls',
    columns: CALL_COLUMNS,
    rowKey: callKey,
    source,
    sorting: NEWEST_FIRST,
    urlPrefix: 'call.',
  })
  const { run, dialog } = useActions()
  return (
    <>
      <DataTable
        table={table}
        label="Calls"
        what="calls"
        rowName={callName}
        detail={detail}
        noRows={`No calls yet. The last ${countOf(MAX_CALLS, 'call')} are shown here.`}
        actionsWidth={56}
        rowActions={(row) => <RowAction action={REPLAY} thing={row} name={callName(row)} onRun={run} />}
      />
      {dialog}
    </>
  )
}

const MAX_CALLS = 200
const groupKey = (row: ScimGroup) => row.id
const personKey = (row: ScimPerson) => row.id
const callKey = (row: ScimCall) => String(row.id)
const groupName = (row: ScimGroup) => row.name
const personName = (row: ScimPerson) => row.name || row.userName
const callName = ({ method, path }: ScimCall) => `${method} ${path}`
