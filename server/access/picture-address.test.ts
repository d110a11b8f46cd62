import { expect, test } from 'vitest';
import { deriveKeys } from '#server/kernel/secrets/crypto.ts';
import { withAddresses } from './picture-address.ts';

const BARE = `/img/${'a'.repeat(26)}-800x600-p`;

test('only fields of addresses are completed: what a user typed stays as it is', () => {
  const keys = deriveKeys(Buffer.alloc(32, 1));
  const typed = { title: BARE, note: `${BARE}?w=320`, texts: [BARE], url: `看 ${BARE}` };
  expect(withAddresses(keys, 'visitor', typed)).toBe(typed);
  const shown = withAddresses(keys, 'user:1', {
    list: [{ url: BARE, thumb: `${BARE}?w=320`, title: BARE }],
    imageUri: BARE,
  });
  expect(shown.list[0]?.url).toMatch(/-p\.\w+\.[\w-]{22}$/);
  expect(shown.list[0]?.thumb).toMatch(/-p\.\w+\.[\w-]{22}\?w=320$/);
  expect([shown.imageUri, shown.list[0]?.title]).toEqual([shown.list[0]?.url, BARE]);
});
