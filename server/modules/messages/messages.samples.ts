import { demoAlertId } from '#server/demo/parts/alerts.demo.ts'
import { demoEmailId } from '#server/demo/parts/emails.demo.ts'
import { notShutOut, onlyOlivia, writers } from '#server/testing/samples/rules.ts'
import { alike, authors, list, on, type Samples, sampled, signedIn } from '#server/testing/samples/sample.ts'
import { about, FIRST, type Walk } from '#server/testing/samples/walk.ts'

const email = (n: number) => (customerNumber: string) => ({
  params: { id: demoEmailId(customerNumber, n), position: '1' },
  query: { customerNumber },
})
const ALERT_DRAFT = {
  category: 'OK',
  date: '2030-01-01T00:00:00Z',
  expires: null,
  description: 'Written by the matrix',
  service: ['Licensing Portal'],
  links: [],
}

export const messagesSamples: Samples = {
  rows: {
    'notifications/active': signedIn(),
    ...list(on(notShutOut), 'getemails'),
    getemail: on(notShutOut, (number) => ({ id: demoEmailId(number, 1) })),
    ...alike(sampled(notShutOut, email(1)), 'emails/body', 'emails/attachment'),
    'emails/resend': sampled(onlyOlivia, (customerNumber) => ({
      params: { id: demoEmailId(customerNumber, 1) },
      body: { customerNumber },
    })),
    'emails/delete': {
      ...sampled(writers, email(2)),
      unnamed: (customerNumber) => ({ params: { id: demoEmailId(customerNumber, 3) } }),
    },
    'notifications/stream': signedIn({ query: { wait: '0' } }),
    ...list(signedIn({ body: {} }), 'notifications'),
    'notifications/one': signedIn({ params: { id: demoAlertId(1) } }),
    'alerts/create': { kind: authors, sample: () => ({ body: ALERT_DRAFT }) },
    'alerts/edit': {
      kind: authors,
      sample: () => ({ params: { id: demoAlertId(2) }, body: { ...ALERT_DRAFT, revision: 1 } }),
    },
    'alerts/resolve': { kind: authors, sample: () => ({ params: { id: demoAlertId(3) }, body: { revision: 1 } }) },
  },
  walk: sendAgain,
}

async function sendAgain({ call }: Walk): Promise<void> {
  await call('emails/resend', { params: { id: demoEmailId(FIRST, 4) }, body: about })
}
