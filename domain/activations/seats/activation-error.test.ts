import { expect, test } from 'vitest'
import {
  ACTIVATION_ERRORS,
  activationErrorText,
  fetchServerError,
  noDaemonsError,
  stepErrorText,
} from '#domain/activations/seats/activation-error.ts'

const TIMEOUT = 'Unable to complete the activation due to request timeout. Please clear the error and retry.'
const POLICY =
  'Unable to complete the activation as the fulfillment is denied by the activation policy. Please clear the error and retry.'
const EXCEPTION = 'Unable to complete the activation due to an exception. Please clear the error and retry.'
const ID = '0123456789abcdef0123456789ABCDEF'

test.each([
  ['Error: ESOCKETTIMEDOUT', TIMEOUT],
  ['The activation of the fulfillment is denied by the activation policy "x"', POLICY],
  ['server caught an exception while saving', EXCEPTION],
  ['500 Internal Server Error', EXCEPTION],
  ['EFETCH', 'Unable to fetch customers for the selected server due to an exception.'],
  ['prefetch was refused', 'Error creating fulfillments. Please clear the error and retry.'],
  ['something else', 'Error creating fulfillments. Please clear the error and retry.'],
  [`ESOCKETTIMEDOUT, reference id [${ID}]`, `${TIMEOUT} (${ID})`],
  [`Unknown. Reference id [${ID}]`, `Error creating fulfillments. Please clear the error and retry. (${ID})`],
  ['reference id [short]', 'Error creating fulfillments. Please clear the error and retry.'],
])('the raw error "%s" is shown as "%s"', (raw, text) => {
  expect(stepErrorText({ kind: 'create' }, raw)).toBe(text)
})

test.each([
  ['return', 'Error returning fulfillments. Please clear the error and retry.'],
  ['set group', 'Error creating shared server group. Please clear the error and retry.'],
  ['deactivate group', 'Error deactivating shared server group. Please clear the error and retry.'],
  ['override', 'Error deactivating shared server group. Please clear the error and retry.'],
  ['generate', 'Error creating license file. Please clear the error and retry.'],
  ['email', 'Error sending email message. Please clear the error and retry.'],
  ['unheard of' as 'email', 'refused'],
] as const)('step %s fails with its own text', (kind, text) => {
  expect(stepErrorText({ kind }, 'refused')).toBe(text)
})

test('each failed fetch has its own text', () => {
  expect(activationErrorText('', ACTIVATION_ERRORS.remove)).toBe('Error removing server. Please retry.')
  expect(ACTIVATION_ERRORS.history).toBe('Error fetching fulfillment history for all the servers.')
  expect(ACTIVATION_ERRORS.available).toBe('unable to fetch available fulfilled entitlements')
  expect(ACTIVATION_ERRORS.rehost).toBe('Rehosting is not currently supported.')
  expect(fetchServerError('3cecef4b7d10')).toBe('unable to fetch fulfilled entitlements for server 3cecef4b7d10')
})

test('the error for a customer without licenses names the server', () => {
  expect(noDaemonsError('3cecef4b7d10')).toBe('No daemons with activations found for server 3cecef4b7d10')
})
