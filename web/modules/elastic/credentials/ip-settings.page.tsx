import { Paper, Title } from '@mantine/core'
import { Loaded } from '#web/form/loaded.tsx'
import { ipRulesQuery } from '#web/modules/elastic/credentials/credentials.api.ts'
import { WithElasticServer } from '#web/modules/elastic/credentials/elastic-server.tsx'
import { IpRulesForm } from '#web/modules/elastic/credentials/ip-rules.form.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './credentials.module.css'

export function Page() {
  return (
    <>
      <PageHead context="IP addresses from which applications can use your elastic license server" />
      <WithElasticServer>
        {({ key, id, alias }) => (
          <div className={classes.cards} key={id}>
            <Paper component="section" className={classes.card} aria-labelledby="ip-rules">
              <Title order={2} id="ip-rules">
                Allowed IP Addresses
              </Title>
              <ul className={classes.hints}>
                <li>
                  For the elastic license server <span className={classes.id}>{id}</span> ({alias}).
                </li>
                <li>Without any rule, all addresses are accepted.</li>
                <li>Single addresses and CIDR notation are supported, in IPv4 and IPv6.</li>
              </ul>
              <Loaded query={ipRulesQuery(key)}>{(loaded) => <IpRulesForm server={key} loaded={loaded} />}</Loaded>
            </Paper>
          </div>
        )}
      </WithElasticServer>
    </>
  )
}
