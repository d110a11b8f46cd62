const LOCAL = /(^|\.)(localhost|local|test)$/;

/** Whether a host name means only this machine or network (RFC 6761, RFC 6762): it is no address of a site outside the demo. */
export const isLocalHost = (host: string): boolean => LOCAL.test(host);
