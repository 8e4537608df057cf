import { Box } from '@mantine/core'
import type { SignInProvider } from '#contract/sign-in-providers/sign-in-providers.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { Copied, DomainsCard } from '#web/modules/sign-in-providers/domains.card.tsx'
import { ProviderForm } from '#web/modules/sign-in-providers/provider.form.tsx'
import { REMOVE_PROVIDER } from '#web/modules/sign-in-providers/sign-in-providers.actions.tsx'
import { signInProviderQuery } from '#web/modules/sign-in-providers/sign-in-providers.api.ts'
import { SwitchForm } from '#web/modules/sign-in-providers/switch.form.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { Card, Cards } from '#web/ui/cards.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function Page() {
  const { number } = useKnownCustomer()
  return (
    <>
      <PageHead context="People of your domains sign in through the identity provider of your company." />
      <Loaded query={signInProviderQuery(number)}>
        {(loaded) => <Settings key={number} customerNumber={number} loaded={loaded} />}
      </Loaded>
    </>
  )
}

/** What one form saves is what the others begin with, so they begin anew with each revision. */
function Settings({ customerNumber, loaded }: { customerNumber: string; loaded: SignInProvider }) {
  const { domains, keysUri, provider, redirectUri, revision, signOutUri } = loaded
  return (
    <Cards>
      <DomainsCard domains={domains} />
      <Card
        title="Provider"
        about="Any OpenID Connect provider: Entra ID, Okta, Keycloak. Register the portal there as a web application."
      >
        <Box mb="md">
          <Facts
            facts={[
              ['Redirect URI', <Copied key="redirect" value={redirectUri} what="redirect URI" />],
              ['Sign-out URI', <Copied key="sign-out" value={signOutUri} what="sign-out URI" />],
              [
                'Key set',
                provider?.publicKey ? <Copied key="keys" value={keysUri} what="address of the key set" /> : null,
              ],
            ]}
          />
        </Box>
        <ProviderForm key={`provider ${revision}`} customerNumber={customerNumber} loaded={loaded} />
        {provider && (
          <Box mt="xs">
            <ActionButton action={REMOVE_PROVIDER} thing={provider} size="xs" variant="subtle" color="red" hasIcon />
          </Box>
        )}
      </Card>
      <Card
        title="Test and switch on"
        about="A test signs nobody in. It shows what the provider says and which role it would give."
      >
        <SwitchForm
          key={`switch ${revision} ${provider?.isTested} ${domains.length}`}
          customerNumber={customerNumber}
          loaded={loaded}
        />
      </Card>
    </Cards>
  )
}
