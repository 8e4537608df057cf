import { Loaded } from '#web/form/loaded.tsx'
import { pinQuery, usernamesQuery } from '#web/modules/elastic/credentials/credentials.api.ts'
import { type ElasticServer, WithElasticServer } from '#web/modules/elastic/credentials/elastic-server.tsx'
import { PinForm } from '#web/modules/elastic/credentials/pin.form.tsx'
import { UsernamesForm } from '#web/modules/elastic/credentials/usernames.form.tsx'
import { Card, Cards } from '#web/ui/cards.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './credentials.module.css'

export function Page() {
  return (
    <>
      <PageHead context="What applications need to connect to your elastic license server, and who can use it" />
      <WithElasticServer>{(server) => <Credentials key={server.id} server={server} />}</WithElasticServer>
    </>
  )
}

function Credentials({ server }: { server: ElasticServer }) {
  return (
    <Cards>
      <Card title="Elastic License Server Id">
        <Facts
          facts={[
            ['License server id', <Id key="id" value={server.id} />],
            ['Alias', server.alias],
          ]}
        />
      </Card>
      <Card
        title="Elastic License Server PIN"
        about="A 6-digit PIN is required to connect applications to the elastic license server. Changing the PIN only affects new sessions."
      >
        <div className={classes.pinCard}>
          <Loaded query={pinQuery(server.key)}>{(loaded) => <PinForm server={server} loaded={loaded} />}</Loaded>
        </div>
      </Card>
      <Card
        title="Additional User Access Restrictions"
        about="With a list, only the users on it can start sessions. Without one, everybody who knows the PIN can."
      >
        <Loaded query={usernamesQuery(server.key)}>
          {(loaded) => <UsernamesForm server={server} loaded={loaded} />}
        </Loaded>
      </Card>
    </Cards>
  )
}

function Id({ value }: { value: string }) {
  return (
    <span className={classes.id}>
      {value} <CopyButton value={value} what="license server id" />
    </span>
  )
}
