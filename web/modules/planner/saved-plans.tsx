import { Button, Checkbox, Group, Paper, Text, Title } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { SavedPlan } from '#contract/planner/planner.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import { lineCostOf, planTotals, seatsToRenew } from '#domain/planner/proposals.ts'
import { useSave } from '#web/form/use-save.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import { call, fetchFile } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf, countText, timeText } from '#web/lib/format.ts'
import { plansQuery } from '#web/modules/planner/planner.api.ts'
import { contractsQuery } from '#web/parts/spending-accounts.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { PdfExport } from '#web/ui/pdf-export.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import classes from './planner.module.css'

/** Plans that somebody has saved: opened, compared, handed on, or made a draft order. */
export function SavedPlans({ onOpen }: { onOpen(plan: SavedPlan): void }) {
  const { number } = useKnownCustomer()
  const { data: plans, error, refetch } = useQuery(plansQuery(number))
  const [compared, setCompared] = useState<readonly string[]>([])
  if (error) return <FailureNotice failure={error} onRetry={refetch} />
  if (!plans || plans.length === 0) return null
  const toggle = (id: string) =>
    setCompared((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id]))
  const chosen = plans.filter(({ id }) => compared.includes(id))
  return (
    <Paper component="section" className={classes.card} aria-labelledby="saved-plans">
      <Title order={2} id="saved-plans">
        Saved plans
      </Title>
      <ul className={classes.plans}>
        {plans.map((plan) => (
          <li key={plan.id} className={classes.savedPlan}>
            <PlanFacts plan={plan} isCompared={compared.includes(plan.id)} onCompare={() => toggle(plan.id)} />
            <PlanActions plan={plan} onOpen={() => onOpen(plan)} />
          </li>
        ))}
      </ul>
      {chosen.length > 1 && <Comparison plans={chosen} />}
    </Paper>
  )
}

type FactsProps = { plan: SavedPlan; isCompared: boolean; onCompare(): void }

function PlanFacts({ plan, isCompared, onCompare }: FactsProps) {
  const totals = planTotals(plan.lines).map(({ cost, currency }) => `${formatDecimal(cost, 2)} ${currency}`)
  return (
    <Group gap="0.75rem" wrap="nowrap">
      <Checkbox checked={isCompared} onChange={onCompare} aria-label={`Compare ${plan.name}`} />
      <span>
        <Text fw={600}>{plan.name}</Text>
        <span className={classes.note}>
          {[plan.savedBy, timeText(plan.savedAt), countOf(plan.lines.length, 'product'), ...totals].join(' · ')}
        </span>
      </span>
    </Group>
  )
}

function PlanActions({ plan, onOpen }: { plan: SavedPlan; onOpen(): void }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const mayWrite = useCan('planner.write')
  const { save: remove } = useSave({
    send: (id: string, key) =>
      call('planner/plans/remove', { body: { customerNumber: number, id }, idempotencyKey: key }),
    success: 'The plan was removed.',
    notDone: 'The plan was not removed.',
    onSaved: () => queries.invalidateQueries({ queryKey: ['planner/plans'] }),
  })
  const ask = async () => {
    if (await confirm(`Remove the plan “${plan.name}”?`, 'Remove plan')) remove(plan.id)
  }
  const link = `${window.location.origin}${withCustomer(`/planner?plan=${plan.id}`, number)}`
  const file = `renewal-plan_${number}_${plan.id.slice(0, 8)}`
  return (
    <Group gap="0.25rem">
      <Button size="xs" variant="default" aria-label={`Open ${plan.name}`} onClick={onOpen}>
        Open
      </Button>
      <CsvExport
        fetchCsv={() => fetchFile('planner/plans/export', { body: { customerNumber: number, id: plan.id } })}
        fileName={`${file}.csv`}
        total={plan.lines.length}
      />
      <PdfExport
        fetchPdf={() => fetchFile('planner/plans/pdf', { body: { customerNumber: number, id: plan.id } })}
        fileName={`${file}.pdf`}
        isDisabled={false}
      />
      <DraftButton plan={plan} />
      <CopyButton value={link} what={`link to ${plan.name}`} />
      <ReasonTooltip reason={mayWrite ? undefined : NOT_ENOUGH_PERMISSIONS}>
        <Button size="xs" variant="subtle" aria-label={`Remove ${plan.name}`} onClick={() => void ask()}>
          Remove
        </Button>
      </ReasonTooltip>
    </Group>
  )
}

/** Maximum number of products that the message names. */
const MAX_NAMED = 2

function otherCostsText(fsaID: string, costs: readonly { product: string; planned: string; drafted: string }[]) {
  const named = costs
    .slice(0, MAX_NAMED)
    .map(({ product, planned, drafted }) => `${product} costs ${drafted}, in the plan ${planned}.`)
  const left = costs.length - named.length
  const rest = left > 0 ? [`${countOf(left, 'more product')} ${left === 1 ? 'differs' : 'differ'} as well.`] : []
  return [
    `The draft has the prices and times of ${fsaID}, the plan those of another day or contract.`,
    ...named,
    ...rest,
  ].join(' ')
}

/** A draft order of what a spending account offers. */
function DraftButton({ plan }: { plan: SavedPlan }) {
  const { number, info, standing } = useKnownCustomer()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const maySee = useCan('fsa.read') && standing.holdings.fsa
  const { data: contracts = [] } = useQuery({ ...contractsQuery(number), enabled: maySee })
  const { save, isSaving } = useSave({
    send: (fsaID: string, key) =>
      call('planner/plans/draft', { body: { customerNumber: number, id: plan.id, fsaID }, idempotencyKey: key }),
    success: 'The draft order was saved.',
    notDone: 'No draft was made.',
    onSaved: async ({ fsaID, left, otherCosts }) => {
      if (otherCosts.length > 0) showPanel('warning', otherCostsText(fsaID, otherCosts))
      if (left.length > 0) showPanel('success', `Not in the draft: ${left.join(', ')}.`)
      await queries.invalidateQueries({ queryKey: ['fsa/drafts'] })
      await navigate(withCustomer(`/entitlementsFSA?${new URLSearchParams({ tab: 'order', contract: fsaID })}`, number))
    },
  })
  const names = new Set(plan.lines.filter((line) => seatsToRenew(line) > 0).map(({ product }) => product))
  const offering = contracts.filter(
    ({ EndDate, fsaproducts }) =>
      EndDate >= info.today && fsaproducts.some(({ ansysproduct }) => names.has(ansysproduct)),
  )
  if (!maySee || offering.length === 0) return null
  return (
    <Menu
      position="bottom-end"
      button={
        <Button
          size="xs"
          loading={isSaving}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`Make draft of ${plan.name}`}
        >
          Make draft
        </Button>
      }
    >
      {offering.map(({ fsaID, EndDate }) => (
        <Menu.Item key={fsaID} onClick={() => save(fsaID)}>
          {fsaID}, ends {EndDate}
        </Menu.Item>
      ))}
    </Menu>
  )
}

/** Plans side by side: the seats of each product, and what they cost. */
function Comparison({ plans }: { plans: readonly SavedPlan[] }) {
  const products = [...new Set(plans.flatMap(({ lines }) => lines.map(({ product }) => product)))].sort()
  const lineOf = (plan: SavedPlan, product: string) => plan.lines.find((line) => line.product === product)
  const today = (product: string) => plans.map((plan) => lineOf(plan, product)?.bought).find((one) => one !== undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll the table.
    <section className={classes.scroll} aria-label="Plans side by side" tabIndex={0}>
      <table className={classes.table} aria-label="Seats and cost of each plan">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" data-figure>
              Today
            </th>
            {plans.map(({ id, name }) => (
              <th key={id} scope="col" data-figure>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <tr key={product}>
              <th scope="row">{product}</th>
              <td data-figure>{countText(today(product))}</td>
              {plans.map((plan) => (
                <td key={plan.id} data-figure>
                  {planText(lineOf(plan, product))}
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">Total</th>
            <td />
            {plans.map((plan) => (
              <td key={plan.id} data-figure>
                {planTotals(plan.lines)
                  .map(({ cost, currency }) => `${formatDecimal(cost, 2)} ${currency}`)
                  .join(', ')}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function planText(line: SavedPlan['lines'][number] | undefined): string {
  if (!line) return ''
  const { cost } = lineCostOf(line)
  const toRenew = seatsToRenew(line)
  return [
    countText(line.seats),
    toRenew !== line.seats && `${countText(toRenew)} to renew`,
    cost !== null && `${formatDecimal(cost, 2)} ${line.currency}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
