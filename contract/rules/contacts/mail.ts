/** The form of a mail address, as users type it. */
export const MAIL = /^[\w.+-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** Whether a text is a mail address of at most 120 characters. */
export const isMail = (text: string): boolean => text.length <= 120 && MAIL.test(text);
