/** The hosts of the rehearsed market: the platform, its back office, and the brand that is opened. */
export const SITE = 'www.shiji.rehearsal';
export const BACK_OFFICE = 'desk.shiji.rehearsal';
export const BRAND = 'www.yehe.rehearsal';
