interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

const ADDRESS = import.meta.env.DEV ? '/dev-sw.js?dev-sw' : '/service-worker.js';

/** The worker's address, as a trusted type if the page's policy requires one (`require-trusted-types-for 'script'`). */
export function workerAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('voltdesk', {
    createScriptURL: (address) => {
      if (address !== ADDRESS) throw new TypeError(`Not the worker of this app: ${address}`);
      return address;
    },
  });
  return policy?.createScriptURL(ADDRESS) ?? ADDRESS;
}
