import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconChevronDown, IconListCheck } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { FilterKind, TextMethod } from '#web/table/columns/column.ts'
import type { FilterCellProps } from '#web/table/filters/cell-props.ts'
import { ChosenField } from '#web/table/filters/chosen-field.tsx'
import type { SetFilter } from '#web/table/filters/column-filter.ts'
import { TypedField } from '#web/table/filters/typed-field.tsx'
import { useFieldFocus } from '#web/table/filters/use-field-focus.ts'
import { BLANK } from '#web/table/filters/value-choice.ts'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import classes from './filter-row.module.css'

const ValueListDialog = lazy(async () => ({
  default: (await import('#web/table/filters/value-list-dialog.tsx')).ValueListDialog,
}))

const METHODS: Record<TextMethod, string> = { contains: 'Contains', equals: 'Equals' }

type Props = FilterCellProps & { kind: FilterKind & { kind: 'text' } }

export function TextFilter({ column, filter, kind, onChange }: Props) {
  const [preferred, setPreferred] = useState(kind.methods[0])
  const { container, focusField } = useFieldFocus()
  const [isChoosing, choose] = useDisclosure(false, { onClose: focusField })
  const method = filter?.filterType === 'text' ? filter.type : preferred
  const text = filter?.filterType === 'text' ? filter.filter : ''
  const changeMethod = (type: TextMethod) => {
    setPreferred(type)
    if (text) onChange({ filterType: 'text', type, filter: text })
  }
  const menu = (kind.methods.length > 1 || kind.hasValues) && (
    <LazyMenu
      label={`${column.header} filter options`}
      className={classes.tool}
      icon={<IconChevronDown size={14} aria-hidden />}
    >
      {() => (
        <>
          {kind.methods.map((one) => (
            <Menu.Item
              key={one}
              leftSection={<IconCheck size={14} aria-hidden visibility={one === method ? 'visible' : 'hidden'} />}
              aria-current={one === method || undefined}
              onClick={() => changeMethod(one)}
            >
              {METHODS[one]}
            </Menu.Item>
          ))}
          {kind.hasValues && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconListCheck size={14} aria-hidden />} onClick={choose.open}>
                Choose values…
              </Menu.Item>
            </>
          )}
        </>
      )}
    </LazyMenu>
  )
  return (
    <div className={classes.filter} ref={container}>
      {filter?.filterType === 'set' ? (
        <ChosenField
          label={`${column.header} filter`}
          text={chosenText(filter)}
          onOpen={choose.open}
          onClear={() => {
            onChange(undefined)
            focusField()
          }}
        />
      ) : (
        <TypedField
          label={`${column.header} ${method}`}
          {...(method === 'equals' ? { placeholder: '', sign: '=' } : { placeholder: METHODS[method] })}
          value={text}
          problemOf={kind.problemOf}
          onCommit={(typed) => onChange(typed === '' ? undefined : { filterType: 'text', type: method, filter: typed })}
        >
          {menu}
        </TypedField>
      )}
      {isChoosing && (
        <Suspense>
          <ValueListDialog
            column={column}
            chosen={filter?.filterType === 'set' ? filter : undefined}
            onApply={onChange}
            onClose={choose.close}
          />
        </Suspense>
      )}
    </div>
  )
}

function chosenText({ type, values }: SetFilter): string {
  const [first, ...others] = values
  const text = others.length === 0 ? (first ?? BLANK) : `${values.length} values`
  return type === 'except' ? `All but ${text}` : text
}
