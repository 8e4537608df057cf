import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LicenseFile } from '#contract/activations/license-files/license-files.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { sizeText, timeText } from '#web/lib/format.ts'
import { downloadLicenseFile, licenseFilesQuery } from '#web/modules/activations/activations.api.ts'
import { countColumn, textColumn, timeColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { showPanel } from '#web/ui/panels.ts'

export const REASONS: Readonly<Record<LicenseFile['reason'], string>> = {
  FIRST: 'First file',
  SEATS_CHANGED: 'Seats or dates changed',
  LICENSES_EXPIRED: 'Licenses expired',
  REQUESTED: 'Generated on request',
}

const FIELDS = {
  generatedAt: { type: 'instant' },
  generatedBy: { type: 'text' },
  size: { type: 'number' },
} as const satisfies Fields

const COLUMNS = withoutFilters<LicenseFile>([
  timeColumn('generatedAt', 'Generated', 168, { phone: 'first line' }),
  textColumn('generatedBy', 'By', 220, { flexible: { min: 160 }, phone: 'second line' }),
  textColumn('reason', 'Reason', 140, { isSortable: false, text: (row) => REASONS[row.reason] }),
  countColumn('size', 'Size', 90, { text: (row) => sizeText(row.size) }),
])

const NEWEST_FIRST = [{ column: 'generatedAt', direction: 'desc' }] as const

type Props = { customerNumber: string; host: HostIdentity; onClose(): void }

/** Every license file that was generated for a host. */
export function LicenseFilesDialog({ customerNumber, host, onClose }: Props) {
  const query = useQuery(licenseFilesQuery(customerNumber, host.serverId))
  const source = useMemo(
    () => loadedSource(['files', host.serverId], FIELDS, query),
    [host.serverId, query.data, query.error],
  )
  const table = useTable({ columns: COLUMNS, rowKey, source, naturalSorting: NEWEST_FIRST })
  const download = async (file: LicenseFile) => {
    try {
      await downloadLicenseFile(customerNumber, file.id)
    } catch (error) {
      showPanel('error', failureText(error))
      onClose()
    }
  }
  return (
    <Dialog onClose={onClose} size={900} title={`License files of ${host.serverName.replaceAll(',', ', ')}`}>
      <DataTable
        table={table}
        isPlain
        label="License files"
        what="license files"
        noRows="No license file was generated for this license server yet."
        rowName={rowName}
        actionsWidth={112}
        rowActions={(row) => (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Download the file of ${timeText(row.generatedAt)}`}
            onClick={() => void download(row)}
          >
            Download
          </Button>
        )}
      />
    </Dialog>
  )
}

const rowKey = (row: LicenseFile) => row.id
const rowName = (row: LicenseFile) => timeText(row.generatedAt)
