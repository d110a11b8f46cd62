/** The response of a search engine to submitted pages. */
export interface LinkPushOutcome {
  accepted: number;
  /** How many more it takes today; undefined where it did not say. */
  remaining: number | undefined;
  /** Those of the addresses that it did not take: of another site, or malformed. */
  refused: readonly string[];
}

/** Tells a search engine of new and changed pages of a site. */
export interface LinkPush {
  /** How many addresses one call takes. */
  readonly most: number;
  /**
   * Submits addresses of the site at `origin`. Throws VendorRejected with kind `limit` when the day's quota is used up and `account` for a
   * site or token that the engine does not know, VendorUnavailable when nothing was sent, and UnknownResult.
   */
  submit(request: { origin: string; token: string; urls: readonly string[] }): Promise<LinkPushOutcome>;
}
