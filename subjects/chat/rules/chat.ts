/** Why the server closed a socket (RFC 6455 leaves 4000 to 4999 to us). */
export const closeCodes = {
  /** The session behind the socket ended. */
  revoked: 4001,
  /** The same user opened too many sockets. */
  tooMany: 4002,
  /** The client reads too slowly, or sends too much. */
  slow: 4003,
} as const;
