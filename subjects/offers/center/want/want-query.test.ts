import { describe, expect, it } from 'vitest';
import { wantFormPath, wantFormState, wantTab, wantTabPath } from './want-query.ts';

describe('the URL of a want', () => {
  it('contains the filters of the list and omits what a want does not have', () => {
    const path = wantFormPath('/wares?gt=1&gid=2&sort=newest&view=cards&max=900&f.rank=2');
    expect(path).toBe('/center/buyBlackList?gt=1&gid=2&max=900&f.rank=2&new=1');
    const form = wantFormState(new URLSearchParams(path.split('?')[1]));
    expect(form?.editSn).toBeNull();
    expect(form?.state).toMatchObject({ gid: 2, gt: 1, max: '900' });
    expect([...(form?.state.fields.keys() ?? [])]).toEqual(['rank']);
  });

  it('names the edited want, and no form where none is requested', () => {
    expect(wantFormState(new URLSearchParams('edit=QABC123&gid=2'))?.editSn).toBe('QABC123');
    expect(wantFormState(new URLSearchParams('edit=%22%3E'))?.editSn).toBeNull();
    expect(wantFormState(new URLSearchParams('status=1'))).toBeNull();
  });

  it('reads the tab from the address and writes it there', () => {
    expect(wantTab(new URLSearchParams('status=3'))).toBe(3);
    expect(wantTab(new URLSearchParams('status=9'))).toBeNull();
    expect(wantTabPath(2)).toBe('/center/buyBlackList?status=2');
  });
});
