import * as optionsFiles from '#contract/options-files/options-files.ts'
import type { Module } from '#server/modules/module.ts'
import {
  downloadOptionsFile,
  exportOptionsFile,
  getOptionsFile,
  getOptionsVersion,
} from '#server/modules/options-files/read-options.ts'
import { reportOptionsInstall } from '#server/modules/options-files/report-install.ts'
import { removeReservation, saveReservation } from '#server/modules/options-files/reservations.ts'
import { saveOptionsFile } from '#server/modules/options-files/save-options.ts'
import { getOptionsWhatIf } from '#server/modules/options-files/what-if.ts'
import type { Route } from '#server/operations/route.ts'

export const optionsFilesModule: Module = {
  name: 'options-files',
  mayUse: ['activations', 'license-use'],
  routes,
}

function routes(route: Route): void {
  route(optionsFiles.getOptionsFile, getOptionsFile)
  route(optionsFiles.getOptionsWhatIf, getOptionsWhatIf)
  route(optionsFiles.getOptionsVersion, getOptionsVersion)
  route(optionsFiles.exportOptionsFile, exportOptionsFile)
  route(optionsFiles.downloadOptionsFile, downloadOptionsFile)
  route(optionsFiles.saveOptionsFile, saveOptionsFile)
  route(optionsFiles.saveReservation, saveReservation)
  route(optionsFiles.removeReservation, removeReservation)
  route(optionsFiles.reportOptionsInstall, reportOptionsInstall)
}
