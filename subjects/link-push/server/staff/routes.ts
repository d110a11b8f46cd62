import * as c from '#subjects/link-push/contract/staff-link-push.ts';
import type { Binding } from '#server/binding.ts';
import { loadPush, setToken, tryPush } from './link-push.ts';

/** The panel of a brand's submissions to search engines. */
export function bindLinkPushStaff({ server }: Binding): void {
  server.serve(c.staffLinkPush, loadPush);
  server.serve(c.setLinkPushToken, async (call, input) => {
    await setToken(call, input);
    return {};
  });
  server.serve(c.testLinkPush, tryPush);
}
