/** What JSON leaves as it is and a terminal may take for a command: DEL, the C1 controls and what turns the direction. */
const commanding = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A value as one line of JSON, its end included, in which every control character is escaped. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll(commanding, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
