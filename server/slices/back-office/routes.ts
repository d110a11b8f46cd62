import { adminQueryUserList, staffInfo, staffLogin, type StaffRole, staffLogout } from '#contract/backstage.ts';
import { approveReview, rejectReview, reviewGoods, reviewGoodsList } from '#contract/backstage-goods.ts';
import { selfCheck } from '#contract/self-check.ts';
import { checkSecret } from '#server/kernel/argon.ts';
import type { Binding } from '#server/binding.ts';
import { logInStaff, logOutStaff } from './auth.ts';
import { bindAudit } from './routes-audit.ts';
import { approve, listReviews, oneReview, reject } from './goods.ts';
import { bindContentAdmin } from './routes-content.ts';
import { bindImport } from './routes-import.ts';
import { bindMoney } from './routes-money.ts';
import { bindPromos } from './routes-promos.ts';
import { bindTrade } from './routes-trade.ts';
import { bindTrust } from './routes-trust.ts';
import { checkSelf } from './self-check.ts';
import { listUsers } from './users.ts';

/** The back office: log-in of staff, home page, and users. */
export async function bindBackOffice(binding: Binding): Promise<void> {
  const { server } = binding;
  server.serve(staffLogin, logInStaff);
  server.serve(staffLogout, async (call) => {
    await logOutStaff(call);
    return {};
  });
  server.serve(staffInfo, ({ staff }) =>
    Promise.resolve({
      staffId: staff.id,
      name: staff.name,
      role: staff.role as StaffRole,
      distId: staff.distId,
      imUid: staff.imUid,
    }),
  );
  server.serve(adminQueryUserList, listUsers);
  server.serve(reviewGoodsList, listReviews);
  server.serve(reviewGoods, oneReview);
  server.serve(approveReview, approve);
  server.serve(rejectReview, reject);
  bindTrade(binding);
  bindTrust(binding);
  bindMoney(binding);
  await bindAudit(binding);
  bindPromos(binding);
  bindImport(binding);
  bindContentAdmin(binding);
  server.serve(selfCheck, async (call) => await checkSelf(call));
  // Warms up the dummy hash, so that the first unknown log-in name takes no longer than others.
  await checkSecret(undefined, '', 'staff');
}
