import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileExport, IconShieldCheck } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { AuditRow } from '#contract/audit/audit.ts'
import { canOnPortal } from '#domain/access/can.ts'
import { PortalRedirect } from '#web/lib/address/portal-link.tsx'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { auditSource, type Chain } from '#web/modules/audit/audit.api.ts'
import { COLUMNS } from '#web/modules/audit/audit-columns.tsx'
import { AuditDetail } from '#web/modules/audit/audit-detail.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useTable } from '#web/table/use-table.ts'
import { TableCsv } from '#web/ui/csv-export.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

const CheckpointsDialog = lazy(async () => ({
  default: (await import('#web/modules/audit/checkpoints.dialog.tsx')).CheckpointsDialog,
}))
const AuditExportsDialog = lazy(async () => ({
  default: (await import('#web/modules/audit/audit-exports.dialog.tsx')).AuditExportsDialog,
}))

const ACCOUNT = 'account'
const PORTAL = 'portal'

/** Who did what on the account. Staff also see what concerns no account. */
export function Page() {
  const customer = useCustomer()
  const { actor } = useSignedIn()
  const isStaff = canOnPortal(actor, 'audit.read').allowed
  const [chosen, setChosen] = useState(ACCOUNT)
  if (customer.state !== 'known') return isStaff ? <Log chain={{}} /> : <PortalRedirect to="/noselectedcustomer" />
  if (!isStaff) return <Log chain={{ customerNumber: customer.number }} />
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label="Whose log"
      value={chosen}
      onChange={setChosen}
      data={[
        { value: ACCOUNT, label: 'This account' },
        { value: PORTAL, label: 'The portal itself' },
      ]}
    />
  )
  return chosen === PORTAL ? (
    <Log key={PORTAL} chain={{}} choice={choice} />
  ) : (
    <Log key={ACCOUNT} chain={{ customerNumber: customer.number }} choice={choice} />
  )
}

function Log({ chain: { customerNumber }, choice }: { chain: Chain; choice?: React.ReactNode }) {
  const chain = useMemo((): Chain => (customerNumber === undefined ? {} : { customerNumber }), [customerNumber])
  const source = useMemo(() => auditSource(chain), [chain])
  const [isChecking, checking] = useDisclosure(false)
  const [isExporting, exporting] = useDisclosure(false)
  const table = useTable({
    tableName: customerNumber === undefined ? 'portalAuditLog' : 'auditLog',
    columns: COLUMNS,
    rowKey,
    source,
  })
  const name = customerNumber ?? 'portal'
  return (
    <>
      <PageHead
        context="The log is tamper-evident."
        actions={
          <Button variant="default" leftSection={<IconShieldCheck size={16} aria-hidden />} onClick={checking.open}>
            Checkpoints
          </Button>
        }
      />
      <DataTable
        table={table}
        label="Audit log"
        what="entries"
        rowName={nameOf}
        detail={detailOf}
        controls={choice}
        actions={
          <>
            <TableCsv
              table={table}
              fetchCsv={(question) => fetchFile('audit/export', { body: { ...chain, ...question } })}
              fileName={`audit_${name}.csv`}
            />
            {customerNumber !== undefined && (
              <Tooltip label="Background exports">
                <ActionIcon variant="default" size={30} aria-label="Background exports" onClick={exporting.open}>
                  <IconFileExport size={16} />
                </ActionIcon>
              </Tooltip>
            )}
          </>
        }
        noRows="Nothing was logged yet."
      />
      <Suspense>
        {isChecking && <CheckpointsDialog chain={chain} onClose={checking.close} />}
        {isExporting && customerNumber !== undefined && (
          <AuditExportsDialog
            customerNumber={customerNumber}
            filter={table.request.filter}
            total={table.list.total ?? 0}
            onClose={exporting.close}
          />
        )}
      </Suspense>
    </>
  )
}

const rowKey = (row: AuditRow) => String(row.id)
const nameOf = (row: AuditRow) => `${row.text}, ${row.actor}`
const detailOf = (row: AuditRow) => <AuditDetail row={row} />
