import type { PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import { type HostIdentity, hostIdLabel } from '#domain/activations/hosts/host.ts'
import { countEndingSoon, replacesSeats } from '#domain/activations/plans/renewal.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { Soon } from '#domain/entitlements/term.ts'
import { countOf, countText } from '#web/lib/format.ts'
import type { PlanRequest } from '#web/modules/activations/plans/host-plan.api.ts'
import { nameOf, RENEW } from '#web/modules/activations/plans/plan-names.ts'
import { productSeatsText } from '#web/modules/activations/seats/seat-texts.ts'

const named = (host: HostIdentity) => `${nameOf(host)} (${hostIdLabel(host)})`

type Texts = {
  readonly title: string
  readonly question: string
  /** The button that starts the plan. */
  readonly act: string
  readonly begun: string
  readonly finished: string
}

type Changes = Pick<PlanPreview, 'changes'> & Partial<Pick<PlanPreview, 'files' | 'filesLeftOut'>>

/** What the dialogs of a plan say, before and after it. The changes are unknown until the preview has come. */
export function planTexts(request: PlanRequest, preview: Changes = { changes: [] }): Texts {
  const { changes } = preview
  const { action, host } = request
  const ticked = changes.filter(({ isTicked }) => isTicked)
  const leaving = ticked.filter(({ kind }) => kind === 'deactivate').length
  const arriving = ticked.filter(({ kind }) => kind === 'activate').length
  const staying = changes.filter(({ kind, isTicked }) => kind === 'deactivate' && !isTicked).length
  switch (action) {
    case 'REHOST':
      return {
        title: `Rehost ${nameOf(host)} on ${nameOf(request.target)}`,
        question: `The following products will be deactivated on ${named(host)} and activated on ${named(request.target)}.`,
        act: arriving === 0 ? 'Rehost products' : `Rehost ${countOf(arriving, 'product')}`,
        begun: 'The rehost has begun.',
        finished: rehostedText({ moved: arriving, staying, ended: leaving - arriving }, host, request.target),
      }
    case 'DEACTIVATE':
      return {
        title: `Deactivate ${nameOf(host)}`,
        question: `The following products will be deactivated on ${named(host)}.`,
        act: leaving === 0 ? 'Deactivate products' : `Deactivate ${countOf(leaving, 'product')}`,
        begun: 'The deactivation has begun.',
        finished:
          staying === 0
            ? `${nameOf(host)} has been deactivated.`
            : `${countOf(leaving, 'product')} deactivated, ${stayText(staying, host)}.`,
      }
    case 'FORCE_RETURN':
      return {
        title: `Forced return from ${nameOf(host)}`,
        question: `All seats of customer ${request.customerNumber} on ${named(host)} will be returned, also those with expired maintenance.`,
        act: 'Return all seats',
        begun: 'The forced return has begun.',
        finished: `All seats have been returned from ${nameOf(host)}.`,
      }
    case 'RENEW': {
      const where = host ? named(host) : 'the license servers of this account'
      const renewals = ticked.filter(({ replaces }) => replaces !== undefined)
      const renewed = new Set(renewals.map(({ replaces }) => replaces)).size
      return {
        title: `${RENEW} on ${host ? nameOf(host) : 'all license servers'}`,
        question: `These licenses on ${where} end within 90 days and have a replacement available.`,
        act: renewed === 0 ? RENEW : `Renew ${countOf(renewed, 'ending license')}`,
        begun: 'Renewing…',
        finished: renewedText(renewals),
      }
    }
    case 'REGENERATE': {
      const files = (preview.files?.length ?? 0) + (preview.filesLeftOut ?? 0)
      return {
        title: REGENERATE,
        question: 'These license files no longer fit what is activated. No seats move.',
        act: files === 0 ? REGENERATE : `Generate ${countOf(files, 'license file')}`,
        begun: 'The license files are being generated.',
        finished: 'The license files are up to date.',
      }
    }
  }
}

/** The button that leaves what a rule holds back where it is, and does the rest: "Leave 1 product, rehost 3 products". */
export function leaveAndActText(
  request: PlanRequest,
  left: readonly { readonly customerNumber: string; readonly activationid: string }[],
  rest: PlanPreview['changes'],
): string {
  // A rehost has two rows of each product.
  const products = new Set(left.map(({ customerNumber, activationid }) => `${customerNumber} ${activationid}`)).size
  const { act } = planTexts(request, { changes: rest })
  return `Leave ${countOf(products, 'product')}, ${act[0]?.toLowerCase()}${act.slice(1)}`
}

type RenewedSeats = { readonly seats: number; readonly begins: CalendarDay; readonly oldEnd: string }

/** What a renewal does to the seats on the license server. */
export function renewalText({ seats, begins, oldEnd }: RenewedSeats, today: CalendarDay): string {
  if (replacesSeats(begins, today)) return countOf(seats, 'seat')
  return `Adds ${countOf(seats, 'seat')} until ${oldEnd}, because the new term begins on ${begins}`
}

/** What a renewal has activated: "Renewed 5 seats of Acoustics Response on lic-01." A sentence for each license server. */
function renewedText(renewals: PlanPreview['changes']): string {
  const servers = [...Map.groupBy(renewals, ({ server }) => server.serverId).values()]
  const named = servers.slice(0, MAX_SENTENCES).flatMap((own) => {
    const [first] = own
    return first ? [`Renewed ${productSeatsText(own)} on ${nameOf(first.server)}.`] : []
  })
  const left = servers.length - named.length
  return [...named, ...(left > 0 ? [`Renewed on ${countOf(left, 'more license server')}.`] : [])].join(' ')
}

/** So many license servers are told apart. */
const MAX_SENTENCES = 3

/** How many leases with activated seats end soon and have no renewal, and how many of them can be renewed. */
export function soonText({ endings, changes }: Pick<PlanPreview, 'endings' | 'changes'>, soon: Soon): string {
  const count = countEndingSoon(endings, soon)
  const replaced = new Set(changes.map(({ replaces }) => replaces))
  const renewed = endings.filter(({ activationid }) => replaced.has(activationid))
  const renewable = countEndingSoon(renewed, soon)
  if (count === 0) return `No lease that ends within ${soon.days} days needs a renewal.`
  const [verb, have, them] = count === 1 ? ['ends', 'has', 'it'] : (['end', 'have', 'them'] as const)
  const what = `${countOf(count, 'lease')} with activated seats ${verb} within ${soon.days} days and ${have} no renewal yet.`
  if (renewable === 0) return `${what} The account has no seats to renew ${them} with.`
  const can = count === 1 ? 'It' : renewable === count ? 'All of them' : `${countText(renewable)} of them`
  return `${what} ${can} can be renewed.`
}

const REGENERATE = 'Regenerate license files'

type Moved = { readonly moved: number; readonly staying: number; readonly ended: number }

function rehostedText({ moved, staying, ended }: Moved, source: HostIdentity, target: HostIdentity): string {
  const products = countOf(moved, 'product')
  const notActivated = `${countOf(ended, 'expired product')} ${ended === 1 ? 'was' : 'were'} not activated again.`
  if (staying === 0 && ended === 0) return `Everything has moved to ${nameOf(target)}.`
  if (staying === 0) return `${products} moved to ${nameOf(target)}. ${notActivated}`
  return `${products} moved, ${stayText(staying, source)}.${ended > 0 ? ` ${notActivated}` : ''}`
}

const stayText = (staying: number, source: HostIdentity) =>
  `${countText(staying)} ${staying === 1 ? 'stays' : 'stay'} on ${nameOf(source)}`

/** Customers that share the source of a rehost and do not move with it. */
export function leavingText(
  members: PlanPreview['leavingMembers'],
  source: HostIdentity,
  target: HostIdentity,
): string {
  const names = members.map(({ customerNumber, customerName }) =>
    customerName === null ? customerNumber : `${customerNumber} (${customerName})`,
  )
  const [who, share, whose] =
    names.length === 1 ? ['Customer', 'shares', 'Its'] : (['Customers', 'share', 'Their'] as const)
  return `${who} ${names.join(', ')} ${share} ${nameOf(source)} and will not share ${nameOf(target)}. ${whose} seats stay on ${nameOf(source)}.`
}
