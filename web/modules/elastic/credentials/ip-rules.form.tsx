import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { toIpRules, toWhitelist } from '#contract/elastic/credentials/credentials.ts'
import {
  ALL_ALLOWED,
  type IpRule,
  ipRuleErrors,
  ipRuleNotes,
  MAX_IP_RULES,
  MAX_RULE_NAME_LENGTH,
  OTHERS_BLOCKED,
} from '#domain/elastic/credentials/ip-rules.ts'
import type { Errors, Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { FormRows } from '#web/form/form-rows.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useCan } from '#web/lib/customer.tsx'
import {
  ipRulesQuery,
  type LoadedIpRules,
  type ServerKey,
  saveIpRules,
} from '#web/modules/elastic/credentials/credentials.api.ts'
import { RestrictionState } from '#web/modules/elastic/credentials/restriction-state.tsx'
import classes from './credentials.module.css'

type Values = { rules: readonly IpRule[] }

const FIELDS: Fields<Values> = {
  rules: {
    label: 'Rules',
    newRow: { name: '', address: '' },
    byRow: { keyOf: ({ name }) => name.trim(), text: ({ address }) => address.trim(), absent: 'No such rule' },
  },
}

const READ_ONLY =
  'You can see the rules, but not change them. Only Administrators and Support Coordinators of this account can.'

export function IpRulesForm({ server, loaded }: { server: ServerKey; loaded: LoadedIpRules }) {
  const queries = useQueryClient()
  const form = useForm({
    loaded,
    valuesOf: ({ whitelist }): Values => ({ rules: toIpRules(whitelist) }),
    fields: FIELDS,
    validate: ({ rules }) => errorsIn(rules),
    save: ({ rules }, before, key) => saveIpRules(server, toWhitelist(rules), before.revision, key),
    success: 'The IP rules have been saved.',
    onSaved: (saved) => queries.setQueryData(ipRulesQuery(server).queryKey, saved),
    readOnly: useCan('ip-rules.write') ? undefined : READ_ONLY,
    draftName: `ip-rules:${server.clsId}`,
  })
  const rows = form.rows('rules')
  const kept = rows.rows.filter(({ isRemoved }) => !isRemoved).map(({ value }) => value)
  const notes = new Map(ipRuleNotes(kept).map((note, index) => [kept[index], note]))
  return (
    <Form form={form}>
      <RestrictionState isOpen={kept.length === 0}>{kept.length === 0 ? ALL_ALLOWED : OTHERS_BLOCKED}</RestrictionState>
      <FormRows
        rows={rows}
        label="IP rules"
        add="Add Rule"
        none="There are no rules."
        max={MAX_IP_RULES}
        hasEdit
        nameOf={({ name }, index) => name.trim() || `rule ${index + 1}`}
        columns={[
          {
            label: 'Rule Name',
            text: ({ name }) => name,
            input: (row) => (
              <TextInput {...row.field('name')} aria-label="Rule Name" maxLength={MAX_RULE_NAME_LENGTH} />
            ),
          },
          {
            label: 'IP Address',
            text: (rule) => (
              <>
                <span className={classes.id}>{rule.address}</span>
                {notes.get(rule) && <span className={classes.note}>{notes.get(rule)}</span>}
              </>
            ),
            input: (row) => (
              <TextInput
                {...row.field('address')}
                aria-label={`IP Address of ${row.value.name.trim() || `rule ${row.index + 1}`}`}
                placeholder="192.0.2.0/24"
                maxLength={100}
                spellCheck={false}
                description={notes.get(row.value)}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                classNames={{ input: classes.address }}
              />
            ),
          },
        ]}
      />
      <FormFooter />
    </Form>
  )
}

function errorsIn(rules: readonly IpRule[]): Errors {
  return Object.fromEntries(
    ipRuleErrors(rules).flatMap(({ name, address }, index) => [
      [`rules.${index}.name`, name],
      [`rules.${index}.address`, address],
    ]),
  )
}
