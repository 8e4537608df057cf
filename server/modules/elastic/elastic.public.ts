/** What other modules may use of elastic. */
export { type Admission, type AdmissionRequest, checkAdmission } from '#server/modules/elastic/check-admission.ts'
