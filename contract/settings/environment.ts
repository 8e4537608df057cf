import { Type } from 'typebox'
import { operation } from '#contract/kit/operation.ts'

export const environment = operation({
  name: 'environment',
  summary: 'dev, uat or prod',
  access: { kind: 'public' },
  token: null,
  writes: false,
  data: Type.Union([Type.Literal('dev'), Type.Literal('uat'), Type.Literal('prod')]),
})

export const getBuildInfo = operation({
  name: 'getBuildInfo',
  summary: 'Version and commit of the running portal',
  access: { kind: 'signed-in' },
  token: null,
  writes: false,
  takesTurns: false,
  data: Type.String(),
})
