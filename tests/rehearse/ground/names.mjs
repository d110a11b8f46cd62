/** Replaces the hosts file of the rehearsal's machine: names below `.rehearsal`, which no registry has, are this machine. Preloaded, on any Node. */
import dns from 'node:dns';

const isOurs = (name) => typeof name === 'string' && name.endsWith('.rehearsal');
const { lookup, resolve4 } = dns;
dns.lookup = (name, ...rest) => lookup(isOurs(name) ? '127.0.0.1' : name, ...rest);
dns.resolve4 = (name, ...rest) => {
  const done = rest.at(-1);
  if (isOurs(name)) {
    process.nextTick(done, null, ['127.0.0.1']);
    return undefined;
  }
  return resolve4(name, ...rest);
};
