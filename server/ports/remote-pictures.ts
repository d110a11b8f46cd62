/** The result of fetching a picture: its unmodified bytes, or the reason for the failure, as text for the seller. */
export type FetchedPicture = { body: Buffer; failure: undefined } | { body: undefined; failure: string };

/** Fetches pictures from addresses given by sellers, and never from anything inside our network. */
export interface RemotePictures {
  /** Why an address is rejected, as text for its owner; undefined if it is accepted. */
  problemOf(url: string): string | undefined;
  /** Fetches once. Never throws for an error of the other server. */
  fetch(url: string): Promise<FetchedPicture>;
}
