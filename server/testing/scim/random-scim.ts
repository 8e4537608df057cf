import fc from 'fast-check'
import { expect } from 'vitest'
import { ADMINISTRATOR, VIEWER } from '#domain/access/roles.ts'
import type { Portal } from '#server/testing/portal.ts'
import { addWebGroup, mapGroup, type ScimClient, scimClient } from '#server/testing/scim/scim-client.ts'
import { addWebAccount, userOf, WEB_ADMIN, WEB_VIEWER } from '#server/testing/web-licenses.ts'

/*
 * Random calls of a provider against a small model of what must come of them: users, groups and members as SCIM answers them, and
 * contacts, web users and members of web groups that follow. The model knows the rules, and nothing of how they are done.
 */

type User = { userName: string; email: string; active: boolean; displayName: string | undefined }
type Gives = 'administrator' | 'viewer' | 'web group' | 'nothing'
type Group = { name: string; gives: Gives; members: Set<string> }

const NAMES = ['ada.one', 'ben.two', 'cem.three', 'dan.four', 'eli.five', 'fay.six'] as const
/** Few addresses, so that several users share one. Ann is a web user and Vic a contact made by hand. */
const EMAILS = [userOf('p1'), userOf('p2'), userOf('p3'), userOf('ann'), WEB_VIEWER] as const
const GIVES: readonly Gives[] = ['administrator', 'viewer', 'web group', 'nothing']

const name = fc.constantFrom(...NAMES)
const email = fc.constantFrom(...EMAILS)
const pick = fc.nat({ max: 7 })
const picks = fc.array(pick, { maxLength: 5 })
const anyCase = (op: string) => fc.constantFrom(op, op.toUpperCase(), `${op[0]?.toUpperCase()}${op.slice(1)}`)
const flag = fc.boolean()
const asText = fc.boolean()

const act = fc.oneof(
  fc.record({ do: fc.constant('create user' as const), name, email, active: flag, isUpper: flag }),
  fc.record({
    do: fc.constant('put user' as const),
    user: pick,
    name,
    email,
    active: fc.option(flag, { nil: undefined }),
  }),
  fc.record({
    do: fc.constant('activate' as const),
    user: pick,
    op: anyCase('replace'),
    active: flag,
    asText,
    hasPath: flag,
  }),
  fc.record({ do: fc.constant('move' as const), user: pick, email, op: anyCase('replace') }),
  fc.record({ do: fc.constant('rename' as const), user: pick, name }),
  fc.record({ do: fc.constant('delete user' as const), user: pick }),
  fc.record({ do: fc.constant('create group' as const), gives: fc.constantFrom(...GIVES) }),
  fc.record({ do: fc.constant('add' as const), group: pick, users: picks, op: anyCase('add'), hasPath: flag }),
  fc.record({ do: fc.constant('remove' as const), group: pick, users: picks, op: anyCase('remove'), byFilter: flag }),
  fc.record({ do: fc.constant('replace' as const), group: pick, users: picks, op: anyCase('replace'), isPut: flag }),
  fc.record({ do: fc.constant('put name' as const), group: pick }),
  fc.record({ do: fc.constant('delete group' as const), group: pick }),
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never
const randomActs = (length: number) => fc.array(act, { minLength: length, maxLength: length })

class Model {
  readonly users = new Map<string, User>()
  readonly groups = new Map<string, Group>()
  readonly roles = new Map<string, string>([
    [WEB_ADMIN, ADMINISTRATOR],
    [WEB_VIEWER, VIEWER],
  ])
  readonly webUsers = new Set(['ann', 'bob', 'cid', 'dan'].map(userOf))
  readonly webMembers = new Set<string>()
  readonly #rolesGiven = new Set<string>()

  isTaken = (userName: string, but?: string) =>
    [...this.users].some(([id, user]) => id !== but && user.userName.toLowerCase() === userName.toLowerCase())

  /** What follows from users and groups, address by address. */
  follow(touched: readonly string[]): void {
    const active = new Set([...this.users.values()].filter((user) => user.active).map((user) => user.email))
    for (const gone of touched.filter((address) => !active.has(address))) {
      this.roles.delete(gone)
      this.webUsers.delete(gone)
      this.webMembers.delete(gone)
      this.#rolesGiven.delete(gone)
    }
    for (const address of active) {
      this.webUsers.add(address)
      const gives = new Set(this.#groupsOf(address).map((group) => group.gives))
      const role = gives.has('administrator') ? ADMINISTRATOR : gives.has('viewer') ? VIEWER : undefined
      if (role) this.roles.set(address, role)
      else if (this.#rolesGiven.has(address)) this.roles.delete(address)
      if (role) this.#rolesGiven.add(address)
      else this.#rolesGiven.delete(address)
      if (gives.has('web group')) this.webMembers.add(address)
      else this.webMembers.delete(address)
    }
  }

  #groupsOf(address: string): Group[] {
    const ids = [...this.users].filter(([, user]) => user.active && user.email === address).map(([id]) => id)
    return [...this.groups.values()].filter(({ members }) => ids.some((id) => members.has(id)))
  }
}

type Listed = { id: string; userName: string; active: boolean; emails: { value: string }[] }
type ListedGroup = { displayName: string; members: { value: string }[] }
const named = (name: string, members: string[]) => `${name}: ${members.sort().join(' ')}`

class RandomRun {
  readonly #portal: Portal
  readonly #account: string
  readonly #scim: ScimClient
  readonly #webGroupId: string
  readonly #model = new Model()
  operations = 0

  private constructor(portal: Portal, account: string, scim: ScimClient, webGroupId: string) {
    this.#portal = portal
    this.#account = account
    this.#scim = scim
    this.#webGroupId = webGroupId
  }

  static async begin(portal: Portal, account: string): Promise<RandomRun> {
    await addWebAccount(portal.db, account, [{ id: 'N', quantity: 50 }])
    const webGroupId = await addWebGroup(portal.db, account, 'Everybody', 'N')
    return new RandomRun(portal, account, await scimClient(portal, account), webGroupId)
  }

  async perform(one: Act): Promise<void> {
    this.operations++
    const model = this.#model
    const [user, id] = 'user' in one ? this.#picked(model.users, one.user) : [undefined, '']
    const [group, groupId] = 'group' in one ? this.#picked(model.groups, one.group) : [undefined, '']
    const ids = 'users' in one ? one.users.flatMap((at) => this.#picked(model.users, at)[1] || []) : []
    const members = ids.map((value) => ({ value }))
    const ifKnown = (known: unknown, status: number) => (known ? status : 404)
    switch (one.do) {
      case 'create user': {
        const userName = one.isUpper ? one.name.toUpperCase() : one.name
        const isTaken = model.isTaken(userName)
        const body = { userName, emails: [{ value: one.email, primary: true }], active: one.active }
        const answer = await this.#expect(isTaken ? 409 : 201, 'POST', '/Users', body)
        if (isTaken) return
        model.users.set(answer.body.id, { userName, email: one.email, active: one.active, displayName: undefined })
        return model.follow([one.email])
      }
      case 'put user': {
        const isTaken = user && model.isTaken(one.name, id)
        const body = {
          userName: one.name,
          emails: [{ value: one.email, type: 'work' }],
          ...(one.active === undefined ? {} : { active: one.active }),
        }
        await this.#expect(isTaken ? 409 : ifKnown(user, 200), 'PUT', `/Users/${id || 'none'}`, body)
        if (!user || isTaken) return
        const before = user.email
        Object.assign(user, { userName: one.name, email: one.email, active: one.active ?? user.active })
        return model.follow([before, one.email])
      }
      case 'activate': {
        const value = one.asText ? (one.active ? 'True' : 'False') : one.active
        const operation = one.hasPath ? { op: one.op, path: 'active', value } : { op: one.op, value: { active: value } }
        await this.#expect(ifKnown(user, 204), 'PATCH', `/Users/${id || 'none'}`, { Operations: [operation] })
        if (!user) return
        user.active = one.active
        return model.follow([user.email])
      }
      case 'move': {
        const operation = { op: one.op, path: 'emails', value: [{ value: one.email.toUpperCase(), primary: 'True' }] }
        await this.#expect(ifKnown(user, 204), 'PATCH', `/Users/${id || 'none'}`, { Operations: [operation] })
        if (!user) return
        const before = user.email
        user.email = one.email
        return model.follow([before, one.email])
      }
      case 'rename': {
        const isTaken = user && model.isTaken(one.name, id)
        const operation = { op: 'Replace', path: 'userName', value: one.name }
        await this.#expect(isTaken ? 409 : ifKnown(user, 204), 'PATCH', `/Users/${id || 'none'}`, {
          Operations: [operation],
        })
        if (user && !isTaken) user.userName = one.name
        return
      }
      case 'delete user': {
        await this.#expect(ifKnown(user, 204), 'DELETE', `/Users/${id || 'none'}`)
        if (!user) return
        model.users.delete(id)
        for (const { members: of } of model.groups.values()) of.delete(id)
        return model.follow([user.email])
      }
      case 'create group': {
        const displayName = `${one.gives} ${this.operations}`
        const { body } = await this.#expect(201, 'POST', '/Groups', { displayName })
        model.groups.set(body.id, { name: displayName, gives: one.gives, members: new Set() })
        const role = one.gives === 'administrator' ? ADMINISTRATOR : one.gives === 'viewer' ? VIEWER : undefined
        if (role) await mapGroup(this.#portal.db, this.#account, body.id, { role })
        if (one.gives === 'web group')
          await mapGroup(this.#portal.db, this.#account, body.id, { webGroupId: this.#webGroupId })
        return
      }
      case 'add': {
        const operation = one.hasPath
          ? { op: one.op, path: 'members', value: members }
          : { op: one.op, value: { members } }
        await this.#expect(ifKnown(group, 204), 'PATCH', `/Groups/${groupId || 'none'}`, { Operations: [operation] })
        for (const member of ids) group?.members.add(member)
        return model.follow([])
      }
      case 'remove': {
        const operations = one.byFilter
          ? ids.map((value) => ({ op: one.op, path: `members[value eq "${value}"]` }))
          : [{ op: one.op, path: 'members', value: members }]
        if (operations.length === 0) return
        await this.#expect(ifKnown(group, 204), 'PATCH', `/Groups/${groupId || 'none'}`, { Operations: operations })
        for (const member of ids) group?.members.delete(member)
        return model.follow([])
      }
      case 'replace': {
        const path = `/Groups/${groupId || 'none'}`
        if (one.isPut)
          await this.#expect(ifKnown(group, 200), 'PUT', path, { displayName: group?.name ?? 'x', members })
        else
          await this.#expect(ifKnown(group, 204), 'PATCH', path, {
            Operations: [{ op: one.op, path: 'members', value: members }],
          })
        if (group) group.members = new Set(ids)
        return model.follow([])
      }
      case 'put name': {
        const displayName = `renamed ${this.operations}`
        await this.#expect(ifKnown(group, 200), 'PUT', `/Groups/${groupId || 'none'}`, { displayName })
        if (group) group.name = displayName
        return
      }
      case 'delete group': {
        await this.#expect(ifKnown(group, 204), 'DELETE', `/Groups/${groupId || 'none'}`)
        if (group) model.groups.delete(groupId)
        return model.follow([])
      }
    }
  }

  #picked<T>(things: ReadonlyMap<string, T>, at: number): [T | undefined, string] {
    const [id, thing] = [...things][at] ?? []
    return [thing, id ?? '']
  }

  async #expect(status: number, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
    const answer = await this.#scim.send(method, path, body)
    expect(answer.status, `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`).toBe(status)
    return answer
  }

  /** What SCIM answers, and what people have, is what the model says. */
  async compare(): Promise<void> {
    const model = this.#model
    const users = (await this.#scim.get('/Users?attributes=userName,active,emails')).body.Resources
    expect(
      (users as Listed[])
        .map(({ id, userName, active, emails }) => `${id} ${userName} ${active} ${emails[0]?.value.toLowerCase()}`)
        .sort(),
    ).toEqual([...model.users].map(([id, one]) => `${id} ${one.userName} ${one.active} ${one.email}`).sort())
    const groups = (await this.#scim.get('/Groups')).body.Resources as ListedGroup[]
    expect(
      groups
        .map(({ displayName, members }) =>
          named(
            displayName,
            members.map(({ value }) => value),
          ),
        )
        .sort(),
    ).toEqual([...model.groups.values()].map((one) => named(one.name, [...one.members])).sort())
    const { db } = this.#portal
    const of = { customer_number: this.#account }
    const contacts = await db
      .selectFrom('contact')
      .select(['email', 'role'])
      .where('customer_number', '=', of.customer_number)
      .execute()
    expect(contacts.map((one) => `${one.email} ${one.role}`).sort()).toEqual(
      [...model.roles].map((one) => one.join(' ')).sort(),
    )
    const webUsers = await db
      .selectFrom('web_user')
      .select('email')
      .where('customer_number', '=', of.customer_number)
      .execute()
    expect(webUsers.map((one) => one.email).sort()).toEqual([...model.webUsers].sort())
    const seats = await db
      .selectFrom('web_seat')
      .select('email')
      .where('customer_number', '=', of.customer_number)
      .execute()
    expect(seats.map((one) => one.email).sort()).toEqual([...model.webMembers].sort())
  }
}

/** Accounts one after the other, each with its own acts; compares every few acts and at the end. */
export async function runRandomScim(
  portal: Portal,
  { runs, length }: { runs: number; length: number },
): Promise<number> {
  let accounts = 0
  let operations = 0
  await fc.assert(
    fc.asyncProperty(randomActs(length), async (acts) => {
      const run = await RandomRun.begin(portal, `RS-${++accounts}`)
      for (const [at, one] of acts.entries()) {
        await run.perform(one)
        if (at % 10 === 9) await run.compare()
      }
      await run.compare()
      operations += run.operations
    }),
    { numRuns: runs, endOnFailure: true },
  )
  return operations
}
