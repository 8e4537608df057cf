import { Button, NumberInput, Switch, Table, Tabs, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { UnsavedChangesGuard } from '#web/app/shell/unsaved-changes-guard.tsx'
import { EntityPicker } from '#web/form/entity-picker.tsx'
import type { Entity } from '#web/form/entity-search.ts'
import type { Errors, Fields } from '#web/form/fields.ts'
import { Form, FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { FormRows } from '#web/form/form-rows.tsx'
import { useForm } from '#web/form/use-form.ts'
import { ApiError, ConflictError } from '#web/lib/api/api-error.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { PanelList } from '#web/ui/panel-list.tsx'

type Product = { id: string; name: string }
type Line = { product: Product | null; quantity: number | '' }
type Order = { note: string; isUrgent: boolean; lines: readonly Line[] }
type Saved = Order & { revision: number }

const PRODUCTS: readonly Product[] = ['Solver', 'Mesher', 'Material library', 'Solver for students'].map(
  (name, index) => ({ id: `P-${index + 1}`, name }),
)

const PRODUCT: Entity<Product> = {
  name: ['product', 'products'],
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  textOf: ({ name }) => name,
  search: (typed) => {
    const text = typed.trim().toLowerCase()
    if (text === '') return 'empty'
    return async () => PRODUCTS.filter(({ name }) => name.toLowerCase().includes(text))
  },
  max: 100,
  hint: 'Search by name.',
}

const FIELDS: Fields<Order> = {
  note: { label: 'Note' },
  isUrgent: { label: 'Urgent', text: (is) => (is ? 'Yes' : 'No') },
  lines: {
    label: 'Lines',
    newRow: { product: null, quantity: 1 },
    byRow: {
      keyOf: ({ product }) => product?.name ?? '',
      text: ({ quantity }) => String(quantity),
      absent: 'Not ordered',
    },
  },
}

const LOADED: Saved = {
  note: 'For the test bench',
  isUrgent: false,
  lines: [{ product: PRODUCTS[0]!, quantity: 2 }],
  revision: 1,
}

function errorsIn({ note, lines }: Order): Errors {
  return {
    note: note.trim() === '' ? 'Note is required.' : undefined,
    ...Object.fromEntries(
      lines.flatMap(({ product, quantity }, index) => [
        [`lines.${index}.product`, product ? undefined : 'Product is required.'],
        [`lines.${index}.quantity`, quantity === '' || quantity < 1 ? 'Enter 1 or more.' : undefined],
      ]),
    ),
  }
}

/** Milliseconds, and as long as a save button ignores further clicks. */
const LATE = 500

/** A fake server. The note of an order decides how it answers. */
async function save({ note, isUrgent, lines }: Order, { revision }: Saved): Promise<Saved> {
  const yours = { note, isUrgent, lines }
  if (note === 'over balance') throw new ApiError(200, 'The order is over the balance.', 'LAST_ADMINISTRATOR')
  if (note === 'late refusal') {
    await new Promise((answer) => setTimeout(answer, LATE))
    throw new ApiError(200, 'The order came too late.')
  }
  if (note === 'no answer') throw new ApiError(0, 'The portal cannot be reached.')
  if (note === 'too late' && revision === 1) {
    const current: Saved = {
      note: 'Changed by somebody else',
      isUrgent: true,
      lines: [...LOADED.lines, { product: PRODUCTS[1]!, quantity: 5 }],
      revision: 2,
    }
    throw new ConflictError('This order was changed by somebody else in the meantime.', { current, yours })
  }
  return { ...yours, revision: revision + 1 }
}

const valuesOf = ({ note, isUrgent, lines }: Order): Order => ({ note, isUrgent, lines })

/** What orders will need: rows with a picker, a confirmation with tabs and tables, refusals and conflicts. */
export function OrderForm() {
  const [isOpen, dialog] = useDisclosure(false)
  const form = useForm({
    loaded: LOADED,
    valuesOf,
    fields: FIELDS,
    validate: errorsIn,
    save,
    success: 'The order has been saved.',
    refusals: { LAST_ADMINISTRATOR: 'lines' },
    confirm: (order) => confirm(<Summary order={order} />, 'Place order', { title: 'Place this order?', size: 'lg' }),
  })
  return (
    <>
      <PanelList />
      <UnsavedChangesGuard />
      <Form form={form}>
        <TextInput {...form.field('note')} label="Note" required />
        <Switch {...form.field('isUrgent')} label="Urgent" />
        <FormRows
          rows={form.rows('lines')}
          label="Lines"
          add="Add line"
          nameOf={({ product }, index) => product?.name ?? `line ${index + 1}`}
          columns={[
            {
              label: 'Product',
              text: ({ product }) => product?.name,
              input: (row) => (
                <EntityPicker
                  entity={PRODUCT}
                  {...row.field('product')}
                  value={row.value.product}
                  aria-label={`Product of line ${row.index + 1}`}
                />
              ),
            },
            {
              label: 'Quantity',
              width: '8rem',
              text: ({ quantity }) => quantity,
              input: (row) => (
                <NumberInput {...row.field('quantity')} aria-label={`Quantity of line ${row.index + 1}`} />
              ),
            },
          ]}
        />
        <FormFooter save="Place order" summary={form.isDirty ? 'Changed' : undefined} />
      </Form>
      <Button variant="default" mt="md" onClick={dialog.open}>
        Edit the note
      </Button>
      {isOpen && <NoteDialog onClose={dialog.close} />}
    </>
  )
}

function Summary({ order: { note, isUrgent, lines } }: { order: Order }) {
  return (
    <Tabs defaultValue="lines" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="lines">Lines</Tabs.Tab>
        <Tabs.Tab value="details">Details</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="lines" pt="sm">
        <Table aria-label="Ordered lines">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Product</Table.Th>
              <Table.Th>Quantity</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map(({ product, quantity }) => (
              <Table.Tr key={product?.id}>
                <Table.Td>{product?.name}</Table.Td>
                <Table.Td>{quantity}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Tabs.Panel>
      <Tabs.Panel value="details" pt="sm">
        {note} ({isUrgent ? 'urgent' : 'not urgent'})
      </Tabs.Panel>
    </Tabs>
  )
}

function NoteDialog({ onClose }: { onClose(): void }) {
  const form = useForm({
    loaded: LOADED,
    valuesOf,
    fields: FIELDS,
    validate: errorsIn,
    save,
    success: 'The note has been saved.',
    onSaved: onClose,
    isInDialog: true,
  })
  return (
    <FormDialog form={form} title="Note" onClose={onClose}>
      <TextInput {...form.field('note')} label="Note" data-autofocus />
      <FormFooter onClose={onClose} />
    </FormDialog>
  )
}
