import { homeConf, serQqList } from '#contract/dist.ts';
import type { Binding } from '#server/slices.ts';

/** The distributor's own configuration and service numbers. */
export function bindDistributors({ server }: Binding): void {
  server.serve(homeConf, ({ dist }) => Promise.resolve(dist.conf));
  server.serve(serQqList, ({ dist }) => {
    const { serviceNum } = dist.conf.customerBlock;
    return Promise.resolve({ list: serviceNum === '' ? [] : [{ kind: 'qq', value: serviceNum, name: '在线客服' }] });
  });
}
