import { MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import type { LoadedLimits } from '#contract/elastic/limits/limits.ts'
import { MAX_LIMIT_NAME, MAX_PRODUCT_RULES } from '#domain/elastic/limits/limit-errors.ts'
import { PRODUCT_RULE_KINDS, PRODUCT_RULE_LABELS } from '#domain/elastic/limits/product-rules.ts'
import { FormRows } from '#web/form/form-rows.tsx'
import type { Rows } from '#web/form/rows.ts'
import type { RuleRow } from '#web/modules/elastic/limits/limits.api.ts'

const KINDS = PRODUCT_RULE_KINDS.map((value) => ({ value, label: PRODUCT_RULE_LABELS[value] }))

export const ruleText = ({ kind, products }: RuleRow) =>
  `${kind === 'allow' ? 'Only' : 'All except'} ${products.join(', ')}`

export function ProductRuleRows({ rows, loaded: { products } }: { rows: Rows<RuleRow>; loaded: LoadedLimits }) {
  return (
    <FormRows
      rows={rows}
      label="Products per user"
      add="Add Rule"
      none="There are no rules: everybody may start every product, new ones too."
      max={MAX_PRODUCT_RULES}
      hasEdit
      nameOf={({ user }) => `the rule of ${user.trim() || 'everybody else'}`}
      columns={[
        {
          label: 'User',
          width: '14rem',
          text: ({ user }) => user || 'Everybody else',
          input: (row) => (
            <TextInput
              {...row.field('user')}
              aria-label="Username"
              placeholder="Everybody else"
              maxLength={MAX_LIMIT_NAME}
              spellCheck={false}
            />
          ),
        },
        {
          label: 'May start',
          width: '20rem',
          text: ({ kind }) => PRODUCT_RULE_LABELS[kind],
          input: (row) => <NativeSelect {...row.field('kind')} aria-label="May start" data={KINDS} />,
        },
        {
          label: 'Products',
          text: (row) => row.products.join(', '),
          input: (row) => (
            <MultiSelect
              {...row.field('products')}
              aria-label="Products"
              data={[...new Set([...products, ...row.value.products])]}
              searchable
              nothingFoundMessage="No product found"
              placeholder={row.value.products.length === 0 ? 'Choose products' : ''}
            />
          ),
        },
      ]}
    />
  )
}
