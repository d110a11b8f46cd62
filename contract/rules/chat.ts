/** Why the server closed a socket (RFC 6455 leaves 4000 to 4999 to us). */
export const closeCodes = {
  /** The session behind it ended. */
  revoked: 4001,
  /** Opened too often by the same person. */
  tooMany: 4002,
  /** Reads too slowly, or speaks too much. */
  slow: 4003,
} as const;
