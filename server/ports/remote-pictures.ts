/** What came of fetching a picture: its bytes as they are, or why there are none, as text for the seller. */
export type FetchedPicture = { body: Buffer; failure: undefined } | { body: undefined; failure: string };

/** Fetches pictures from addresses that sellers name, and never from anything inside our network. */
export interface RemotePictures {
  /** Why an address is not accepted, as text for its owner; undefined when it is. */
  problemOf(url: string): string | undefined;
  /** Fetches once. Never throws for an error of the other server. */
  fetch(url: string): Promise<FetchedPicture>;
}
