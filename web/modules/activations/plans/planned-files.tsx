import { Text, Title } from '@mantine/core'
import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { differenceText } from '#domain/activations/license-files/difference-text.ts'
import { countText } from '#web/lib/format.ts'
import classes from '#web/modules/activations/history/history.module.css'
import { LicenseLines } from '#web/modules/activations/license-files/license-lines.tsx'
import confirm from '#web/modules/activations/plans/confirm-changes.module.css'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'

/** Up to this many files are shown expanded. */
const FEW = 3

/** The license files that a plan would generate, compared with the current ones. */
export function PlannedFiles({ files, filesLeftOut }: Pick<PlanPreview, 'files' | 'filesLeftOut'>) {
  return (
    <>
      {files.map((file) => (
        <details
          key={`${file.customerNumber} ${file.server.serverId}`}
          className={confirm.preview}
          open={files.length <= FEW}
        >
          <summary className={classes.fileHead}>
            <Title order={3}>License file of {nameOf(file.server)}</Title>
            <Text span size="sm" c="dimmed">
              {file.licenseText === ''
                ? 'No licenses are left on this license server, so no license file will be generated.'
                : differenceText(file.difference.summary)}
            </Text>
          </summary>
          <LicenseLines
            entries={file.difference.entries}
            isWhole={false}
            label={`Lines of the license file of ${nameOf(file.server)}, customer ${file.customerNumber}`}
          />
        </details>
      ))}
      {filesLeftOut > 0 && (
        <Text size="sm" c="dimmed" mt="0.5rem">
          {countText(filesLeftOut)} more{' '}
          {filesLeftOut === 1 ? 'license server gets a new license file' : 'license servers get new license files'}.
        </Text>
      )}
    </>
  )
}
