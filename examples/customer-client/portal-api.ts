/** Made by generate-types.ts from the OpenAPI document. Do not edit it. */
export type Calls = {
  '/api/fetchEntitlements/active': {
    request: {
      customerName?: string | null
      customerEmail?: string | null
      time?: string | number | null
      customerNumber: string
      type?: 'ALL' | 'ELASTIC' | 'FSA' | 'SSL' | 'SUBSCRIPTION' | 'CONCURRENT'
      state?: 'Deployed'
      filter?: Filter
      sorting?: Sorting
      attributes?: string[]
      offset?: number
      token?: string | null
      limit?: number
    }
    answer: {
      status: 'SUCCESS' | 'FAILURE'
      code?: 'TOO_MANY_ROWS' | 'LIST_TIMEOUT'
      err?: string
      data?: {
        ActivationId?: string
        EntitlementID?: string
        PartNumber?: string
        ProductName?: string
        LicenseModel?: string
        LineItemQuantity?: number
        AnsysActivated?: number
        StartDate?: string
        EndDate?: string | null
        VersionDate?: string | null
        IsActivationPermanent?: string
        EntitlementState?: string
        'CA[ENT|ansystype]'?: string
        'CA[ENT|ansyssubtype]'?: string
        'CA[ENT|ansysponum]'?: string
      }[]
      token?: string | null
    }
  }
  '/api/fulfillments/servers': {
    request: {
      customerName?: string | null
      customerEmail?: string | null
      time?: string | number | null
      customerNumber: string
    }
    answer: {
      status: 'SUCCESS' | 'FAILURE'
      code?: 'LIST_TIMEOUT'
      err?: string
      data?: {
        id: string
        name: string
        type: string
        state: 'Active' | 'Inactive' | 'Unknown'
        isOutOfDate: boolean
        portNumber: number
        ansysborrowed: boolean
        isShared: boolean
        generatedAt: string | null
        generatedBy: string | null
      }[]
    }
  }
  '/api/fulfillments/download': {
    request: {
      customerName?: string | null
      customerEmail?: string | null
      time?: string | number | null
      customerNumber: string
      serverName: string
      serverId: string
      serverIdType: string
    }
    answer: {
      status: 'SUCCESS' | 'FAILURE'
      code?: 'NO_LICENSE_FILE' | 'LIST_TIMEOUT'
      err?: string
      data?: { customerNumber: string; status: 'SUCCESS' | 'FAILURE'; code?: string; err?: string }[]
      licenseText?: string
      licenseFileName?: string
      file?: {
        id: string
        licenseFileName: string
        generatedAt: string
        generatedBy: string
        reason: 'FIRST' | 'SEATS_CHANGED' | 'LICENSES_EXPIRED' | 'REQUESTED'
        issuedOn: string
        isShared: boolean
        keyId: string
        size: number
      }
    }
  }
  '/api/fetchUsage/export': {
    request: {
      customerName?: string | null
      customerEmail?: string | null
      time?: string | number | null
      customerNumber: string
      serverId?: string
      filter?: Filter
      sorting?: Sorting
      limit?: number
    }
    answer: {
      status: 'FAILURE'
      code: 'TOO_MANY_ROWS' | 'LIST_TIMEOUT'
      err: string
      data?: { current: unknown; yours: unknown }
    }
  }
}

export type Filter = {
  condition: 'ANY' | 'ALL'
  criteria: (
    | Filter
    | {
        name: string
        method:
          | 'CONTAINS'
          | 'STARTSWITH'
          | 'ENDSWITH'
          | 'ARRAY_CONTAINS'
          | 'EQUALS'
          | '>'
          | '<'
          | '>='
          | '<='
          | 'INRANGE'
          | 'ISDEFINED'
          | 'BEFORE'
          | 'AFTER'
          | 'DATERANGE'
          | 'BEFOREDAY'
          | 'AFTERDAY'
          | 'DAYRANGE'
          | 'RANGE'
        value?: unknown
        not?: boolean
        casefold?: boolean
        tostring?: boolean
      }
  )[]
}

export type Sorting = { name: string; direction: 'asc' | 'desc' | 'ASC' | 'DESC' }[]
