import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'
import { SETUP_STATES } from '#domain/setup/setup-steps.ts'

export const getSetup = operation({
  name: 'setup',
  summary:
    'Whether the installation is new, has no accounts yet or nobody in charge, as far as this is of interest to the caller',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  data: Type.Object({
    state: Type.Enum(SETUP_STATES),
    command: Type.String({ description: 'Begins every command line of an operator', examples: ['npm run portal --'] }),
  }),
})
