import { pick, type Random, integer } from '../../generate/random.ts';

const REGIONS = ['110105', '310115', '440305', '330106', '510107', '420111', '320102', '370202', '610113', '500103'];
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECKS = '10X98765432';
const SURNAMES = '王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓冯';
const GIVEN_NAME_CHARS = '伟芳娜敏静丽强磊军洋勇艳杰涛明超兰霞平刚桂英玉萍红娥玲芬燕彬丹凯欣怡宇晨浩然子轩雨桐梓涵';

const two = (n: number): string => String(n).padStart(2, '0');

/** The last character of an 18-digit ID number from the 17 before it (GB 11643). */
export function idCheckDigit(first17: string): string {
  const sum = WEIGHTS.reduce((acc, weight, i) => acc + weight * Number(first17.charAt(i)), 0);
  return CHECKS.charAt(sum % 11);
}

export interface GeneratedPerson {
  realName: string;
  idNo: string;
  birthDate: string;
}

/** An invented adult with a name and an ID number with a valid check digit; each `index` gives a different number. */
export function generatePerson(next: Random, index: number): GeneratedPerson {
  const year = integer(next, 1975, 2004);
  const month = integer(next, 1, 12);
  const day = integer(next, 1, 28);
  const region = REGIONS[index % REGIONS.length] ?? '110105';
  const order = String(Math.floor(index / REGIONS.length) % 1000).padStart(3, '0');
  const first17 = `${region}${year}${two(month)}${two(day)}${order}`;
  const givenName = pick(next, [...GIVEN_NAME_CHARS]) + (next() < 0.6 ? pick(next, [...GIVEN_NAME_CHARS]) : '');
  return {
    realName: pick(next, [...SURNAMES]) + givenName,
    idNo: first17 + idCheckDigit(first17),
    birthDate: `${year}-${two(month)}-${two(day)}`,
  };
}
