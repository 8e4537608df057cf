/** The nonce of this page; without it the content security policy refuses styles that are made at run time. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// The scroll lock under dialogs looks for the nonce under this name, once, at its first use.
Object.assign(globalThis, { __webpack_nonce__: cspNonce })
