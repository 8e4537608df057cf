import { expect, test } from 'vitest'
import { amountsOf } from '#web/app/home/amounts.ts'

const balance = (currency: string, total: string, remaining: string) => ({ currency, total, remaining })

test('balances are added up by currency, the largest first', () => {
  const balances = [
    balance('EUR', '100.00', '25.00'),
    balance('USD', '500.00', '500.00'),
    balance('USD', '500.00', '0.00'),
  ]
  expect(amountsOf(balances)).toMatchObject([
    { currency: 'USD', left: '500', overdrawn: '0', usedPercent: 50 },
    { currency: 'EUR', left: '25', overdrawn: '0', usedPercent: 75 },
  ])
})

test('what is overdrawn takes nothing from the other balances', () => {
  expect(amountsOf([balance('AEU', '100.00', '-20.50'), balance('AEU', '100.00', '40.00')])).toMatchObject([
    { left: '40', overdrawn: '20.5', usedPercent: 80 },
  ])
})
