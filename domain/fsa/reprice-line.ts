import type { FsaContract } from '#domain/fsa/contract.ts'
import { changeCost, changeUnitCost, type OrderLine, optionsOf } from '#domain/fsa/order-line.ts'
import { compare } from '#domain/money/decimal.ts'

export type RepricedLine = {
  readonly line: OrderLine
  /** The cost when the line was saved, if it has changed. */
  readonly formerCost: string | undefined
}

/**
 * A saved line at the current price. Costs that business operations may enter stay as they are: nobody can tell whether
 * they were entered by hand.
 */
export function repriceLine(line: OrderLine, contract: FsaContract, isBusops: boolean): RepricedLine {
  const option = optionsOf(line, contract).find(({ endDate }) => endDate === line.endDate)
  if (line.isManual || isBusops || !option) return { line: changeCost(line, line.cost), formerCost: undefined }
  const repriced = changeUnitCost(line, option.unitCost)
  const hasChanged = line.cost !== null && repriced.cost !== null && compare(line.cost, repriced.cost) !== 0
  return { line: repriced, formerCost: hasChanged ? (line.cost ?? undefined) : undefined }
}
