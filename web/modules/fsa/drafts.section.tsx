import { ActionIcon, Button, Title } from '@mantine/core'
import { IconFileTypeCsv, IconFileTypePdf, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Draft } from '#contract/fsa/drafts.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { VALID_UNTIL } from '#domain/fsa/quote.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText, ZONE_NOTE } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { downloadQuote, draftsQuery, type QuoteFormat } from '#web/modules/fsa/drafts.api.ts'
import type { Order } from '#web/modules/fsa/use-order.ts'
import { twoLines } from '#web/parts/entitlement/two-lines.tsx'
import { amountColumn, countColumn, textColumn, withoutFilters } from '#web/table/columns/column-kinds.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { loadedSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './order.module.css'

type Row = Draft & { readonly lines: number; readonly cost: number; readonly validity: string }

const FIELDS = {
  name: { type: 'text' },
  fsaID: { type: 'text' },
  savedAt: { type: 'instant' },
  lines: { type: 'number' },
  cost: { type: 'number' },
  validity: { type: 'text' },
} as const satisfies Fields

/** Fits a window of 1280 pixels with an open menu. */
const COLUMNS = withoutFilters<Row>([
  textColumn('name', 'Name', 140, {
    flexible: { min: 140 },
    phone: 'first line',
    cell: (row) => <span className={classes.cellText}>{row.name}</span>,
  }),
  textColumn('savedAt', 'Saved', 238, {
    phone: 'second line',
    text: (row) => `${row.savedBy} · ${timeText(row.savedAt)}`,
    cell: (row) =>
      twoLines(
        row.savedBy,
        <time dateTime={row.savedAt} title={ZONE_NOTE}>
          {timeText(row.savedAt)}
        </time>,
      ),
  }),
  countColumn('lines', 'Lines', 56),
  amountColumn('cost', 'Total Cost', 96, { phone: 'first line' }),
  textColumn('validity', 'Valid', 224, {
    phone: 'second line',
    cell: (row) => <span className={classes.cellText}>{row.validity}</span>,
  }),
])

const NEWEST_FIRST = [{ column: 'savedAt', direction: 'desc' }] as const

/** Orders that were prepared. Opening one chooses its contract. */
export function Drafts({ order }: { order: Order }) {
  const { number } = useKnownCustomer()
  const query = useQuery(draftsQuery(number))
  const rows = useMemo(() => query.data?.map(rowOf), [query.data])
  const source = useMemo(
    () => loadedSource(['draft-rows', number], FIELDS, { ...query, data: rows }),
    [number, rows, query.error],
  )
  const table = useTable({ columns: COLUMNS, rowKey, source, naturalSorting: NEWEST_FIRST, pageSizes: PAGE_SIZES })
  if (!query.error && !rows?.length) return null
  return (
    <section className={classes.drafts} aria-labelledby="drafts-title">
      <Title order={2} size="h3" id="drafts-title">
        Drafts
      </Title>
      <DataTable
        table={table}
        isPlain
        isTwoLine
        label="Drafts"
        what="drafts"
        rowName={rowName}
        noRows="There are no drafts."
        actionsWidth={152}
        rowActions={(row) => <DraftActions draft={row} order={order} />}
      />
    </section>
  )
}

function DraftActions({ draft, order }: { draft: Draft; order: Order }) {
  const { number } = useKnownCustomer()
  const { actor } = useSignedIn()
  const mayOrder = useCan('fsa.order')
  const queries = useQueryClient()
  const deletion = useSave<string, null>({
    send: (id, key) => call('fsa/drafts/delete', { body: { customerNumber: number, id }, idempotencyKey: key }),
    success: 'The draft has been deleted.',
    notDone: 'Nothing was deleted.',
    onSaved(_, id) {
      order.drafts.onDeleted(id)
      return queries.invalidateQueries(draftsQuery(number))
    },
  })
  const mayDelete = mayOrder || draft.savedBy === actor.email
  const isOffered = order.offered?.some(({ fsaID }) => fsaID === draft.fsaID)
  return (
    <div className={classes.draftActions}>
      <ReasonTooltip reason={isOffered ? undefined : 'The contract has ended.'}>
        <Button
          size="compact-xs"
          variant="default"
          disabled={order.isSaving}
          aria-label={`Open draft ${draft.name}`}
          onClick={() => order.drafts.open(draft)}
        >
          Open
        </Button>
      </ReasonTooltip>
      <QuoteButton draft={draft} format="PDF" />
      <QuoteButton draft={draft} format="CSV" />
      {mayDelete && (
        <Tooltip label="Delete draft">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Delete draft ${draft.name}`}
            disabled={deletion.isSaving}
            onClick={async () => {
              if (await confirm(`The draft “${draft.name}” will be deleted for everybody.`, 'Delete draft'))
                deletion.save(draft.id)
            }}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  )
}

/** The prices of a draft as a file. */
function QuoteButton({ draft, format }: { draft: Draft; format: QuoteFormat }) {
  const { number } = useKnownCustomer()
  const quote = useMutation({
    mutationFn: () => downloadQuote(number, draft, format),
    onError: (error) => showPanel('error', failureText(error)),
  })
  const Icon = QUOTE_ICONS[format]
  const action = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      loading={quote.isPending}
      aria-label={`Quote of ${draft.name} as ${format}`}
      onClick={() => quote.mutate()}
    >
      <Icon size={16} />
    </ActionIcon>
  )
  if (draft.isValid) return <Tooltip label={`Quote as ${format}`}>{action}</Tooltip>
  return (
    <ReasonTooltip reason="Some lines cannot be ordered as they are. Open the draft first.">{action}</ReasonTooltip>
  )
}

const QUOTE_ICONS = { PDF: IconFileTypePdf, CSV: IconFileTypeCsv } as const

const PAGE_SIZES = [100] as const
const rowKey = (row: Row) => row.id
const rowName = (row: Row) => row.name

function rowOf(draft: Draft): Row {
  return {
    ...draft,
    lines: draft.products.length,
    cost: Number(draft.totalCost),
    validity: draft.isValid ? VALID_UNTIL : (draft.errors.find((error) => error !== null) ?? ''),
  }
}
