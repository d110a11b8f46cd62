/** Whether the page is on the demo market's own host, where stand-ins explain themselves. Browser only. */
export const isDemoHost = (): boolean => /(^|\.)localhost$/.test(window.location.hostname);
