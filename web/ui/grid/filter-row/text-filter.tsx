import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconChevronDown, IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { FilterCellProps } from '#web/ui/grid/filter-row/cell-props.ts'
import { ChosenField } from '#web/ui/grid/filter-row/chosen-field.tsx'
import { TypedField } from '#web/ui/grid/filter-row/typed-field.tsx'
import { useFieldFocus } from '#web/ui/grid/filter-row/use-field-focus.ts'
import { BLANK, ValueListDialog } from '#web/ui/grid/filter-row/value-list-dialog.tsx'
import type { FilterKind, TextMethod } from '#web/ui/grid/model/column.ts'
import type { SetFilter } from '#web/ui/grid/model/column-filter.ts'
import classes from './filter-row.module.css'

const METHODS: Record<TextMethod, string> = { contains: 'Contains', equals: 'Equals' }

type Props = FilterCellProps & { kind: FilterKind & { kind: 'text' } }

export function TextFilter({ column, filter, kind, onChange }: Props) {
  const [preferred, setPreferred] = useState(kind.methods[0])
  const { place, focusField } = useFieldFocus()
  const [isChoosing, choose] = useDisclosure(false, { onClose: focusField })
  const method = filter?.filterType === 'text' ? filter.type : preferred
  const text = filter?.filterType === 'text' ? filter.filter : ''
  const changeMethod = (type: TextMethod) => {
    setPreferred(type)
    if (text) onChange({ filterType: 'text', type, filter: text })
  }
  const menu = (kind.methods.length > 1 || kind.hasValues) && (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <button type="button" className={classes.tool} aria-label={`${column.header} filter options`}>
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  )
  return (
    <div className={classes.filter} ref={place}>
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
          onCommit={(typed) => onChange(typed === '' ? undefined : { filterType: 'text', type: method, filter: typed })}
        >
          {menu}
        </TypedField>
      )}
      {isChoosing && (
        <ValueListDialog
          column={column}
          chosen={filter?.filterType === 'set' ? filter : undefined}
          onApply={onChange}
          onClose={choose.close}
        />
      )}
    </div>
  )
}

function chosenText({ type, values }: SetFilter): string {
  const [first, ...others] = values
  const text = others.length === 0 ? (first ?? BLANK) : `${values.length} values`
  return type === 'except' ? `All but ${text}` : text
}
