/** What is done to a host, or to several, as one plan that the server carries out. */
export const PLAN_ACTIONS = ['REHOST', 'DEACTIVATE', 'RENEW', 'FORCE_RETURN'] as const
export type PlanAction = (typeof PLAN_ACTIONS)[number]

/** A failed plan was stopped by a rule; whatever else goes wrong, a plan is taken up again. */
export const PLAN_STATES = ['waiting', 'running', 'done', 'failed'] as const
export type PlanState = (typeof PLAN_STATES)[number]
