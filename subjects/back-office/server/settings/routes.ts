import * as c from '#subjects/settings/contract/staff-settings.ts';
import type { Binding } from '#server/binding.ts';
import { change, decide, history, list, preview, revoke } from './settings.ts';

/** Settings of the trade, and the rates of brands. */
export function bindSettingsAdmin({ server }: Binding): void {
  server.serve(c.settingList, list);
  server.serve(c.settingHistory, history);
  server.serve(c.previewSetting, preview);
  server.serve(c.changeSetting, change);
  server.serve(c.decideSetting, decide);
  server.serve(c.revokeSetting, revoke);
}
