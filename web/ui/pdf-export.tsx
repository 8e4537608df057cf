import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { NOTHING_TO_EXPORT } from '#web/ui/csv-export.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

const NOT_A_PDF = 'An error occurred when loading the PDF.'
const NOT_EXPORTED = 'An error occurred when exporting the PDF.'

type Props = { fetchPdf(): Promise<Blob>; fileName: string; isDisabled: boolean; size?: 'xs' | 'sm' }

/** What is on screen as a PDF file. */
export function PdfExport({ fetchPdf, fileName, isDisabled, size = 'sm' }: Props) {
  const pdf = useMutation({
    mutationFn: fetchPdf,
    onSuccess: (file) => {
      if (file.type !== 'application/pdf') return showPanel('error', NOT_A_PDF)
      saveFile(file, fileName)
    },
    onError: (error) => showPanel('error', failureText(error)),
  })
  return (
    <ReasonTooltip reason={isDisabled ? NOTHING_TO_EXPORT : undefined}>
      <Button
        variant="default"
        size={size}
        leftSection={<IconFileTypePdf size={16} aria-hidden />}
        loading={pdf.isPending}
        onClick={() => pdf.mutate()}
      >
        Export as PDF
      </Button>
    </ReasonTooltip>
  )
}

/** An answer that is no file is a refusal in the place of a PDF. */
function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return NOT_EXPORTED
  const text = error.status === 200 ? NOT_A_PDF : NOT_EXPORTED
  return error.referenceId ? `${text} (${error.referenceId})` : text
}
