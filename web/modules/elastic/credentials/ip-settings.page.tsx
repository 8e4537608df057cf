import { Loaded } from '#web/form/loaded.tsx'
import { ipRulesQuery } from '#web/modules/elastic/credentials/credentials.api.ts'
import { WithElasticServer } from '#web/modules/elastic/credentials/elastic-server.tsx'
import { IpRulesForm } from '#web/modules/elastic/credentials/ip-rules.form.tsx'
import { Card, Cards } from '#web/ui/cards.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './credentials.module.css'

export function Page() {
  return (
    <>
      <PageHead context="IP addresses from which applications can use your elastic license server" />
      <WithElasticServer>
        {({ key, id, alias }) => (
          <Cards key={id}>
            <Card
              title="Allowed IP Addresses"
              about={
                <>
                  For the elastic license server <span className={classes.id}>{id}</span> ({alias}). Without any rule,
                  all addresses are accepted. Single addresses and CIDR notation are supported, in IPv4 and IPv6.
                </>
              }
            >
              <Loaded query={ipRulesQuery(key)}>{(loaded) => <IpRulesForm server={key} loaded={loaded} />}</Loaded>
            </Card>
          </Cards>
        )}
      </WithElasticServer>
    </>
  )
}
