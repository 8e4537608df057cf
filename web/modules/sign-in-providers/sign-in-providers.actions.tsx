import { IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { lazy } from 'react'
import type { ProviderDomain } from '#contract/sign-in-providers/sign-in-providers.ts'
import type { ActionScreen, CallOn, DialogOn } from '#web/lib/action.ts'
import { call } from '#web/lib/api/api-client.ts'
import { reloadSignInProvider } from '#web/modules/sign-in-providers/sign-in-providers.api.ts'
import { showPanel } from '#web/ui/panels.ts'

const AddDomainDialog = lazy(async () => ({
  default: (await import('#web/modules/sign-in-providers/add-domain.dialog.tsx')).AddDomainDialog,
}))

const right = 'sign-in-provider.manage'
const reload = ({ queries, customerNumber }: ActionScreen) => reloadSignInProvider(queries, customerNumber)

export const ADD_DOMAIN: DialogOn<undefined> = {
  right,
  button: 'Add domain',
  icon: IconPlus,
  opens: () => ({ dialog: (onClose) => <AddDomainDialog onClose={onClose} /> }),
}

export const CHECK_DOMAIN: CallOn<ProviderDomain, ProviderDomain> = {
  right,
  button: 'Check now',
  icon: IconRefresh,
  send: ({ domain }, customerNumber, idempotencyKey) =>
    call('sign-in-provider/domains/check', { body: { customerNumber, domain }, idempotencyKey }),
  onSaved: async (screen, { domain, outcome }) => {
    await reload(screen)
    if (outcome === 'found') showPanel('success', `The record of ${domain} was found.`)
    else
      showPanel(
        'error',
        outcome === 'missing'
          ? `${domain} has no such TXT record yet. DNS changes can take hours.`
          : `The name servers of ${domain} did not answer. Try again later.`,
      )
  },
}

export const REMOVE_DOMAIN: CallOn<ProviderDomain> = {
  right,
  button: 'Remove',
  icon: IconTrash,
  isDangerous: true,
  confirm: {
    act: 'Remove domain',
    question: ({ domain }) => `Remove ${domain}? Its people no longer sign in through your provider.`,
  },
  send: ({ domain }, customerNumber, idempotencyKey) =>
    call('sign-in-provider/domains/remove', { body: { customerNumber, domain }, idempotencyKey }),
  success: ({ domain }) => `${domain} has been removed.`,
  notDone: 'Nothing was removed.',
  onSaved: reload,
}

export const REMOVE_PROVIDER: CallOn<{ issuer: string }> = {
  right,
  button: 'Remove provider',
  icon: IconTrash,
  isDangerous: true,
  confirm: {
    act: 'Remove provider',
    question: ({ issuer }) =>
      `Remove the provider ${issuer} with its secret? Everybody signs in to the portal without it, and sessions that began there end.`,
  },
  send: (_provider, customerNumber, idempotencyKey) =>
    call('sign-in-provider/remove', { body: { customerNumber }, idempotencyKey }),
  success: () => 'The provider has been removed.',
  notDone: 'Nothing was removed.',
  onSaved: reload,
}
