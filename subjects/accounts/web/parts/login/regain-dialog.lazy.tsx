import { saveSignIn, saveStaffSignIn } from '#web/lib/session/signed-in.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { LoginForm } from './login-form.tsx';
import { StaffLoginForm } from '#subjects/back-office/web/parts/staff/staff-login-form.tsx';

/** The log-in over a page whose session has ended; the form under it is kept and submitted afterwards. */
export default function RegainDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const isStaff = window.location.pathname.startsWith('/backstage');
  return (
    <Dialog title="重新登录" asksFirst={false} onClose={onClose} closeOnBackdrop={false}>
      <p className="mb-6 text-13 text-ink-2">登录已过期。登录后继续刚才的操作，已填的内容都在。</p>
      {isStaff ? (
        <StaffLoginForm
          codeHelp="身份验证器里的 6 位数字，每个只能用一次"
          onDone={(session) => {
            saveStaffSignIn(session);
            onDone();
          }}
        />
      ) : (
        <LoginForm
          onDone={(session) => {
            saveSignIn(session);
            onDone();
          }}
        />
      )}
    </Dialog>
  );
}
