import { CloseButton, Group, Tabs } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { EXPORT_DENIED } from '#domain/access/can.ts'
import { canCloseTab } from '#domain/activations/hosts/shared-server.ts'
import type { CustomerActivations } from '#domain/activations/seats/activation-selection.ts'
import { LOADING_HISTORY } from '#domain/activations/seats/activation-texts.ts'
import { CustomerTab } from '#web/modules/activations/seats/customer-tab.tsx'
import { AssignedTable, AvailableTable } from '#web/modules/activations/seats/seat-tables.tsx'
import type { OpenTab } from '#web/modules/activations/seats/use-customer-tabs.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Edit = (customerNumber: string, update: (tab: CustomerActivations) => CustomerActivations) => void

type Props = {
  tabs: readonly OpenTab[]
  active: string
  onActive(customerNumber: string): void
  onClose(customerNumber: string): void
  onEdit: Edit
  /** A person with a single account sees its tables without tabs. */
  hasTabs: boolean
  /** What a link has added to the first tab. */
  added: string | undefined
  /** The license server is new: the next thing to do is to choose products. */
  isProductNext: boolean
  /** Why nothing can be changed now. */
  locked: string | undefined
}

/** One tab per customer on the host. */
export function CustomerTabs(props: Props) {
  const { tabs, active, onActive, onClose, onEdit, hasTabs, added, isProductNext, locked } = props
  const shown = tabs.find(({ customerNumber }) => customerNumber === active) ?? tabs[0]
  if (!shown) return null
  const content = (
    // The tables of another customer start with their own view.
    <TabContent
      key={shown.customerNumber}
      tab={shown}
      onEdit={onEdit}
      added={shown === tabs[0] ? added : undefined}
      isProductNext={isProductNext}
      locked={locked}
    />
  )
  if (!hasTabs) return content
  return (
    <Tabs
      value={shown.customerNumber}
      onChange={(number) => number && onActive(number)}
      keepMounted={false}
      mt="0.25rem"
    >
      <Group gap="0.5rem" mb="0.5rem" wrap="nowrap">
        <Tabs.List aria-label="Customers on this license server">
          {tabs.map(({ customerNumber, activations }) => (
            <CustomerTab key={customerNumber} number={customerNumber} name={activations?.customerName} />
          ))}
        </Tabs.List>
        {canCloseTab(tabs) && shown !== tabs[0] && (
          <CloseButton
            size="sm"
            aria-label={`Close tab ${shown.customerNumber}`}
            title={`Close tab ${shown.customerNumber}`}
            disabled={locked !== undefined}
            onClick={() => onClose(shown.customerNumber)}
          />
        )}
      </Group>
      <Tabs.Panel value={shown.customerNumber}>{content}</Tabs.Panel>
    </Tabs>
  )
}

type ContentProps = { tab: OpenTab; onEdit: Edit } & Pick<Props, 'added' | 'isProductNext' | 'locked'>

function TabContent({ tab, onEdit, added, isProductNext, locked }: ContentProps) {
  const { customerNumber, activations, isApproved, hasFailed } = tab
  // The banner says what went wrong, and clearing it loads the tab again.
  if (hasFailed) return null
  if (!activations) return <Spinner text={LOADING_HISTORY} />
  if (!isApproved) return <EmptyState icon={IconLock} title={EXPORT_DENIED} />
  const onChange = (update: (tab: CustomerActivations) => CustomerActivations) => onEdit(customerNumber, update)
  return (
    <>
      <AssignedTable tab={activations} locked={locked} onChange={onChange} />
      <AvailableTable
        tab={activations}
        added={added}
        isProductNext={isProductNext}
        locked={locked}
        onChange={onChange}
      />
    </>
  )
}
