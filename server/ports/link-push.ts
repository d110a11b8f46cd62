/** The response of a search engine to submitted pages. */
export interface LinkPushOutcome {
  accepted: number;
  /** Remaining quota of today; undefined if the response did not contain it. */
  remaining: number | undefined;
  /** The rejected addresses: of another site, or malformed. */
  refused: readonly string[];
}

/** Notifies a search engine of a site's new and changed pages. */
export interface LinkPush {
  /** Maximum number of addresses per call. */
  readonly most: number;
  /**
   * Submits addresses of the site at `origin`. Throws VendorRejected with kind `limit` when the day's quota is used up and `account` for a
   * site or token that the engine does not know, VendorUnavailable when nothing was sent, and UnknownResult.
   */
  submit(request: { origin: string; token: string; urls: readonly string[] }): Promise<LinkPushOutcome>;
}
