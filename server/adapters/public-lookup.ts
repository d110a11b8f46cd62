import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { isPublicAddress } from '#server/kernel/network.ts';

type LookUp = NonNullable<RequestOptions['lookup']>;

/** A name that leads to an address inside a network. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

/**
 * A look-up of names for requests to addresses that strangers give: it refuses a name if any of its addresses is not a public one. The
 * connection goes to what was checked, not to a second answer. It is not asked for a host that is itself an address.
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

/** The look-up for addresses on the Internet. */
export const publicLookup: LookUp = lookupOf(isPublicAddress);
