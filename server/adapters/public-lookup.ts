import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { isPublicAddress } from '#server/kernel/network.ts';

type LookUp = NonNullable<RequestOptions['lookup']>;

/** A name that resolves to an address inside a private network. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

/**
 * A DNS look-up for requests to addresses given by strangers: it rejects a name if any of its addresses is not public. The
 * connection uses the checked address, not a second answer. It is not called for a host that is itself an address.
 */
export const lookupOf =
  (isPublic: (address: string) => boolean, resolve: typeof systemLookup = systemLookup): LookUp =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, '', 4);
      const [first] = found;
      if (!first || !found.every(({ address }) => isPublic(address)))
        return done(new ForbiddenAddress('not a public address'), '', 4);
      if (options.all === true) return done(null, found);
      return done(null, first.address, first.family);
    });
  };

/** The look-up for public addresses. */
export const publicLookup: LookUp = lookupOf(isPublicAddress);
