export { loadInstalled } from '#server/modules/setup/load-installed.ts'
